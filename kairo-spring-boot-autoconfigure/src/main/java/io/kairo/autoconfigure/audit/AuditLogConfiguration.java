package io.kairo.autoconfigure.audit;

import java.time.Clock;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.governance.audit.AuditInterceptor;
import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.AuditRecord;
import io.kairo.governance.audit.AuditSink;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolAnnotations.Effect;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.MDC;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Configures the audit if there is a sink.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(AuditSink.class)
class AuditLogConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AuditLog kairoAuditLog(AuditProperties properties, ObjectProvider<AuditSink> sinks,
			ApplicationEventPublisher events) {
		return new AuditLog(sinks.orderedStream().toList(), properties.policy(), properties.timeout(),
				listener(events));
	}

	private static Consumer<AuditRecord> listener(ApplicationEventPublisher events) {
		return ClassUtils.isPresent("org.springframework.boot.actuate.audit.listener.AuditApplicationEvent",
				AuditLogConfiguration.class.getClassLoader()) ? new AuditEventPublisher(events) : events::publishEvent;
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE + 50)
	@ConditionalOnMissingBean
	AuditInterceptor kairoAuditInterceptor(AuditLog log, AuditProperties properties,
			ObjectProvider<ToolCatalog> catalog) {
		// the catalog depends on this interceptor, so that it is obtained with the
		// first call
		Supplier<Set<String>> changing = SingletonSupplier.of(() -> catalog.getObject()
			.definitions()
			.stream()
			.filter((tool) -> tool.annotations().effect() != Effect.READS)
			.map(ToolDefinition::name)
			.collect(Collectors.toUnmodifiableSet()));
		return new AuditInterceptor(log, properties.content(), (tool) -> changing.get().contains(tool),
				() -> MDC.get("traceId"), Clock.systemUTC());
	}

	/**
	 * Closes the audit after the sessions, since their commands end with them.
	 */
	@Bean
	static DependsOnAudit kairoSessionsDependOnAudit() {
		return new DependsOnAudit(AgentSessions.class);
	}

	/**
	 * Closes the audit after the sandbox, which waits for the commands.
	 */
	@Bean
	static DependsOnAudit kairoSandboxDependsOnAudit() {
		return new DependsOnAudit(ExecutionSandbox.class);
	}

	/**
	 * Configures the meters.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ AuditSink.class, MeterRegistry.class })
	static class MetersConfiguration {

		@Bean
		AuditMeters kairoAuditMeters(AuditLog log) {
			return new AuditMeters(log);
		}

	}

	/**
	 * Configures the endpoint.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnBean(AuditSink.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		AuditEndpoint kairoAuditEndpoint(AuditLog log) {
			return new AuditEndpoint(log);
		}

	}

	/**
	 * Configures the health indicator.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	@ConditionalOnBean(AuditSink.class)
	static class HealthConfiguration {

		@Bean
		@ConditionalOnEnabledHealthIndicator("kairo-audit")
		@ConditionalOnMissingBean(name = "kairoAuditHealthIndicator")
		HealthIndicator kairoAuditHealthIndicator(AuditLog log) {
			return new AuditHealthIndicator(log);
		}

	}

	/**
	 * Makes the beans of a type depend on the audit.
	 */
	static final class DependsOnAudit extends AbstractDependsOnBeanFactoryPostProcessor {

		DependsOnAudit(Class<?> type) {
			super(type, AuditLog.class);
		}

	}

}

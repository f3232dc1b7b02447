package io.kairo.autoconfigure.policy;

import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.sandbox.SecretProperties;
import io.kairo.boot.CallerTenants;
import io.kairo.autoconfigure.tools.ToolsProperties;
import io.kairo.governance.policy.ApprovalHandler;
import io.kairo.governance.policy.Approvals;
import io.kairo.governance.policy.ApprovalStore;
import io.kairo.governance.policy.InMemoryApprovalStore;
import io.kairo.governance.policy.PolicyInterceptor;
import io.kairo.governance.policy.ToolPolicy;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolCatalog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Configures the policy and the approvals, with a store in memory unless there is
 * another.
 */
@Configuration(proxyBeanMethods = false)
class PolicyConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ToolPolicy kairoToolPolicy(PolicyProperties properties) {
		return properties.policy();
	}

	@Bean
	@ConditionalOnMissingBean(ApprovalStore.class)
	InMemoryApprovalStore kairoApprovalStore() {
		return new InMemoryApprovalStore();
	}

	@Bean
	@ConditionalOnMissingBean
	Approvals kairoApprovals(ApprovalStore store, ObjectProvider<ApprovalHandler> handlers,
			PolicyProperties properties) {
		return new Approvals(store, handlers.orderedStream().toList(), properties.approvals().options(),
				Clock.systemUTC());
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE + 75) // between the audit and the limits
	@ConditionalOnMissingBean
	PolicyInterceptor kairoPolicyInterceptor(ToolPolicy policy, Approvals approvals,
			ObjectProvider<SecretProperties> secrets) {
		SecretProperties known = secrets.getIfAvailable();
		return new PolicyInterceptor(policy, approvals, (known != null) ? known::of : (tenant) -> Map.of());
	}

	/**
	 * Cancels the calls that wait for approval before the server waits for its requests
	 * and before the audit ends.
	 */
	@Bean
	ApplicationListener<ContextClosedEvent> kairoApprovalsCloser(Approvals approvals, ApplicationContext context) {
		return (event) -> {
			if (event.getApplicationContext() == context) {
				approvals.close();
			}
		};
	}

	@Bean
	@Lazy(false)
	PolicyReport kairoPolicyReport(ToolPolicy policy, ObjectProvider<ToolCatalog> catalog,
			ObjectProvider<AgentTool> tools, ObjectProvider<ToolsProperties> toolsProperties,
			PolicyProperties properties, ObjectProvider<ApprovalHandler> handlers) {
		return new PolicyReport(policy, () -> {
			Set<String> names = new LinkedHashSet<>();
			catalog.ifAvailable((offered) -> {
				toolsProperties.ifAvailable((known) -> names.addAll(known.names(tools.orderedStream())));
				offered.definitions().forEach((tool) -> names.add(tool.name()));
			});
			return names;
		}, () -> catalog.stream().flatMap((offered) -> offered.definitions().stream()).toList(), properties,
				handlers.stream().findAny().isPresent());
	}

	/**
	 * Configures the meters.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MetersConfiguration {

		@Bean
		MeterBinder kairoApprovalMeters(Approvals approvals) {
			return (registry) -> Gauge.builder("kairo.approvals.waiting", approvals, Approvals::waiting)
				.description("Calls of this instance that wait for approval")
				.register(registry);
		}

	}

	/**
	 * Configures the endpoints.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		PolicyEndpoint kairoPolicyEndpoint(ToolPolicy policy) {
			return new PolicyEndpoint(policy);
		}

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		ApprovalsEndpoint kairoApprovalsEndpoint(Approvals approvals, PolicyProperties properties,
				TenantContextHolder tenants) {
			return new ApprovalsEndpoint(approvals, new Approvers(properties.approvals().approverRoles(),
					properties.approvals().operatorRoles(), new CallerTenants(tenants)));
		}

	}

}

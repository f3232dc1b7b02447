package io.kairo.autoconfigure.observation;

import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.TenancyProperties;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.sandbox.support.cache.CacheListener;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.limits.LimitsInterceptor;
import io.kairo.workspace.checkpoint.CheckpointListener;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import io.kairo.workspace.routing.WorkspaceListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for meters that are not observations, if there is a
 * {@link MeterRegistry}.
 */
// required, since Boot's auto-configuration comes later in alphabetical order
@AutoConfiguration(
		after = { KairoExecutionsAutoConfiguration.class, KairoLimitsAutoConfiguration.class,
				KairoSandboxAutoConfiguration.class, KairoToolsAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, TenantTag.class })
@EnableConfigurationProperties(TenancyProperties.class)
public final class KairoMetricsAutoConfiguration {

	KairoMetricsAutoConfiguration() {
	}

	@Bean
	static MeterFilter kairoMeterDescriptions() {
		return new MeterDescriptions();
	}

	@Bean
	SandboxMeters kairoSandboxMeters(MeterRegistry registry, TenantTag tenantTag) {
		return new SandboxMeters(registry, tenantTag);
	}

	@Bean
	@ConditionalOnBean(ExecutionLog.class)
	MeterBinder kairoSandboxUpMeter(ExecutionLog log) {
		return (registry) -> Gauge.builder("kairo.sandbox.up", log, (known) -> (known.setupFailure() == null) ? 1 : 0)
			.description("Whether the sandbox of the last command could be set up, 1 or 0")
			.register(registry);
	}

	/**
	 * Configures the meter of the caches of commands.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CacheListener.class)
	static class CacheMetersConfiguration {

		@Bean
		CacheListener kairoCacheMeters(MeterRegistry registry, TenantTag tenantTag) {
			return new KeptMeters(registry, tenantTag, "cache-bytes")::measured;
		}

	}

	/**
	 * Configures the meters of tools and of workspace quotas.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ToolInterceptor.class)
	static class ToolMetersConfiguration {

		private final MeterRegistry registry;

		private final TenantTag tenantTag;

		ToolMetersConfiguration(MeterRegistry registry, TenantTag tenantTag) {
			this.registry = registry;
			this.tenantTag = tenantTag;
		}

		@Bean
		ToolMeters kairoToolMeters() {
			return new ToolMeters(this.registry, this.tenantTag);
		}

		@Bean
		@ConditionalOnBean(LimitsInterceptor.class)
		LimitMeters kairoLimitMeters(LimitsInterceptor limits, ObjectProvider<LeasingWorkspaceProvider> provider,
				TenancyProperties tenancy) {
			return new LimitMeters(this.registry, this.tenantTag, limits, provider.getIfAvailable(),
					tenancy::maxWorkspaces);
		}

		@Bean
		@Conditional(OnWorkspaceQuota.class)
		QuotaMeters kairoQuotaMeters() {
			return new QuotaMeters(this.registry, this.tenantTag);
		}

	}

	/**
	 * Configures the meters of workspaces and their checkpoints.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WorkspaceListener.class)
	static class WorkspaceMetersConfiguration {

		@Bean
		WorkspaceMeters kairoWorkspaceMeters(MeterRegistry registry, TenantTag tenantTag) {
			return new WorkspaceMeters(registry, tenantTag);
		}

		@Bean
		CheckpointListener kairoCheckpointMeters(MeterRegistry registry, TenantTag tenantTag) {
			return new CheckpointMeters(registry, tenantTag);
		}

	}

	/**
	 * Matches if a quota of workspaces is configured.
	 */
	static final class OnWorkspaceQuota extends AnyNestedCondition {

		OnWorkspaceQuota() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnProperty("kairo.workspace.quota.bytes")
		static final class OfBytes {

		}

		@ConditionalOnProperty("kairo.workspace.quota.files")
		static final class OfFiles {

		}

	}

}

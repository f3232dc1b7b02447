package io.kairo.autoconfigure.endpoint;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.observation.ExecutionLog;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.tenancy.TenancyProperties;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.limits.LimitsInterceptor;
import io.kairo.workspace.local.WorkspaceRoots;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the endpoints {@code kairotools}, {@code kairoworkspaces},
 * {@code kairoexecutions}, {@code kairotenants} and {@code kairocheckpoints}, and of the
 * contribution to {@code info}.
 */
@AutoConfiguration(after = { KairoExecutionsAutoConfiguration.class, KairoLimitsAutoConfiguration.class,
		KairoToolsAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class, ToolCatalog.class })
@ConditionalOnBean({ ToolCatalog.class, AgentSessions.class })
@EnableConfigurationProperties(TenancyProperties.class)
public final class KairoEndpointAutoConfiguration {

	KairoEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	ToolsEndpoint kairoToolsEndpoint(ToolCatalog catalog) {
		return new ToolsEndpoint(catalog);
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	@ConditionalOnBean(LeasingWorkspaceProvider.class)
	WorkspacesEndpoint kairoWorkspacesEndpoint(LeasingWorkspaceProvider provider, AgentSessions sessions,
			ObjectProvider<WorkspaceRoots> roots) {
		return new WorkspacesEndpoint(provider, sessions, roots.getIfAvailable());
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	@ConditionalOnBean(ExecutionLog.class)
	ExecutionsEndpoint kairoExecutionsEndpoint(ExecutionLog log) {
		return new ExecutionsEndpoint(log);
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	@ConditionalOnBean(LimitsInterceptor.class)
	TenantsEndpoint kairoTenantsEndpoint(LimitsInterceptor limits, ObjectProvider<LeasingWorkspaceProvider> provider,
			TenancyProperties tenancy) {
		return new TenantsEndpoint(limits, provider.getIfAvailable(), tenancy::maxWorkspaces);
	}

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	@ConditionalOnBean({ CheckpointStore.class, WorkspaceFilesFactory.class })
	CheckpointsEndpoint kairoCheckpointsEndpoint(AgentSessions sessions, WorkspaceFilesFactory files) {
		return new CheckpointsEndpoint(sessions, files);
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoInfoContributor")
	InfoContributor kairoInfoContributor(ToolCatalog catalog, ObjectProvider<ExecutionSandbox> sandbox) {
		return new KairoInfoContributor(catalog, sandbox);
	}

}

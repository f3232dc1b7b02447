package io.kairo.autoconfigure.health;

import java.nio.file.Path;
import java.util.Objects;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.sandbox.SandboxChoice;
import io.kairo.autoconfigure.tenancy.TenancyProperties;
import io.kairo.autoconfigure.workspace.UnenforcedPolicies;
import io.kairo.autoconfigure.observation.ExecutionLog;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.boot.SandboxWorkers;
import io.kairo.workspace.checkpoint.CheckpointStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the health indicators {@code kairoWorkspace} and
 * {@code kairoSandbox}.
 */
@AutoConfiguration(before = HealthContributorAutoConfiguration.class,
		after = { KairoSandboxAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@EnableConfigurationProperties({ HealthProperties.class, KairoProperties.class, TenancyProperties.class })
public final class KairoHealthAutoConfiguration {

	private final KairoProperties kairo;

	private final @Nullable WorkspaceProperties workspaces;

	private final @Nullable CommandUser user;

	KairoHealthAutoConfiguration(KairoProperties kairo, ObjectProvider<WorkspaceProperties> workspaces,
			ObjectProvider<CommandUser> user) {
		this.kairo = kairo;
		this.workspaces = workspaces.getIfAvailable();
		this.user = user.getIfAvailable();
	}

	/**
	 * Bounds the indicators of Kairo, in this class and in others.
	 */
	@Bean
	static BeanPostProcessor kairoHealthBounds() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				return (bean instanceof HealthIndicator indicator && bean.getClass().getName().startsWith("io.kairo."))
						? new BoundedHealthIndicator(beanName, indicator) : bean;
			}

		};
	}

	@Bean
	@ConditionalOnBean(WorkspaceProvider.class)
	@ConditionalOnEnabledHealthIndicator("kairo-workspace")
	@ConditionalOnMissingBean(name = "kairoWorkspaceHealthIndicator")
	HealthIndicator kairoWorkspaceHealthIndicator(WorkspaceProvider provider, TenancyProperties tenancy,
			HealthProperties health, Environment environment, ObjectProvider<UndoReport> undo) {
		TenantContext tenant = new TenantContext(tenancy.defaultTenant(), TenantContext.SINGLE.principalId());
		WorkspaceProperties known = this.workspaces;
		Path checkouts = Binder.get(environment)
			.bind("kairo.workspace.git.directory", Path.class)
			.orElseGet(this::checkouts);
		return new WorkspaceHealthIndicator(provider, tenant, (known != null && known.applyTo(provider)) ? known : null,
				checkouts, this.kairo.stateDirectory(), this.kairo.nativeCalls(), health.minFreeSpace(),
				DirectoryState::of, (workspace) -> {
					UndoReport report = undo.getIfAvailable();
					return (report != null) ? report.of(workspace, tenant) : Map.of();
				});
	}

	private Path checkouts() {
		return (this.user != null) ? this.user.defaultDirectory(this.kairo, "git")
				: this.kairo.stateDirectory().resolve("git");
	}

	@Bean
	@ConditionalOnBean(ExecutionSandbox.class)
	@ConditionalOnEnabledHealthIndicator("kairo-sandbox")
	@ConditionalOnMissingBean(name = "kairoSandboxHealthIndicator")
	HealthIndicator kairoSandboxHealthIndicator(ExecutionSandbox sandbox, ObjectProvider<SandboxChoice> choice,
			ObjectProvider<WorkspaceProvider> provider, ObjectProvider<ExecutionLog> executions,
			ObjectProvider<SandboxWorkers> workers) {
		SandboxChoice chosen = choice.getIfAvailable();
		WorkspaceProperties known = this.workspaces;
		boolean applied = known != null && provider.stream().allMatch(known::applyTo);
		return new SandboxHealthIndicator(sandbox, chosen, this.kairo.nativeCalls(),
				(capabilities) -> (applied && known != null) ? UnenforcedPolicies.of(known, capabilities) : List.of(),
				() -> {
					ExecutionLog log = executions.getIfAvailable();
					return (log != null) ? log.setupFailure() : null;
				}, () -> {
					SandboxWorkers remote = workers.getIfAvailable();
					return (remote != null) ? remote.describe() : Map.of();
				},
				new CanaryDirectory(this.kairo, Objects.requireNonNullElseGet(this.user, () -> new CommandUser(null))),
				System::nanoTime);
	}

	/**
	 * Configures the report of checkpoints and trials.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CheckpointStore.class)
	static class UndoReportConfiguration {

		@Bean
		UndoReport kairoUndoReport(ObjectProvider<CheckpointStore> checkpoints,
				ObjectProvider<WorkspaceFilesFactory> files) {
			return (workspace, tenant) -> {
				CheckpointStore store = checkpoints.getIfAvailable();
				WorkspaceFilesFactory factory = files.getIfAvailable();
				if (store == null || factory == null) {
					String reason = "sessions are not recorded, as with kairo.checkpoints.enabled=false";
					return Map.of("checkpoints", reason, "trials", reason);
				}
				String problem = store.open(tenant, "health", workspace).trialProblem(factory.open(workspace));
				return Map.of("checkpoints", true, "trials", (problem != null) ? problem : true);
			};
		}

	}

	/**
	 * Describes whether what sessions do in a workspace can be undone, and tried before.
	 */
	@FunctionalInterface
	interface UndoReport {

		Map<String, Object> of(Workspace workspace, TenantContext tenant);

	}

}

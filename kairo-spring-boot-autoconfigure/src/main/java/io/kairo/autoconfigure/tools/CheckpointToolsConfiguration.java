package io.kairo.autoconfigure.tools;

import java.time.Clock;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.workspace.IdleExpiry;
import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.tools.checkpoint.ChangesTool;
import io.kairo.tools.checkpoint.CheckpointTool;
import io.kairo.tools.checkpoint.RewindTool;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.workspace.checkpoint.CheckpointListener;
import io.kairo.workspace.checkpoint.CheckpointStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Configuration of checkpoints: what sessions do to files is recorded, and tools undo it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "kairo.checkpoints.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ CheckpointProperties.class, TrialProperties.class })
class CheckpointToolsConfiguration {

	private final ToolsProperties tools;

	private final KairoProperties kairo;

	private final ObjectProvider<WorkspaceProperties> workspaces;

	CheckpointToolsConfiguration(ToolsProperties tools, KairoProperties kairo,
			ObjectProvider<WorkspaceProperties> workspaces) {
		this.tools = tools;
		this.kairo = kairo;
		this.workspaces = workspaces;
	}

	@Bean
	@ConditionalOnMissingBean
	CheckpointStore kairoCheckpoints(CheckpointProperties properties, TrialProperties trials, Environment environment,
			ObjectProvider<CheckpointListener> listeners) {
		return new CheckpointStore(this.kairo.stateDirectory().resolve("checkpoints"), properties.options(),
				trials.options(this.kairo, CommandUser.of(environment), this.workspaces), all(listeners),
				Clock.systemUTC());
	}

	private static CheckpointListener all(ObjectProvider<CheckpointListener> listeners) {
		return new CheckpointListener() {

			@Override
			public void measured(TenantContext tenant, long bytes, long maxBytes) {
				listeners.forEach((each) -> each.measured(tenant, bytes, maxBytes));
			}

			@Override
			public void trial(TenantContext tenant, TrialEvent event) {
				listeners.forEach((each) -> each.trial(tenant, event));
			}

		};
	}

	@Bean
	@Lazy(false)
	IdleExpiry kairoCheckpointExpiry(CheckpointStore checkpoints) {
		return new IdleExpiry("checkpoints", checkpoints.options().maxAge(), checkpoints::sweep);
	}

	@Bean
	@Order(750)
	@ConditionalOnMissingBean
	CheckpointTool kairoCheckpointTool() {
		return new CheckpointTool(this.tools.naming());
	}

	@Bean
	@Order(760)
	@ConditionalOnMissingBean
	ChangesTool kairoChangesTool() {
		return new ChangesTool(this.tools.read().maxCharacters(), this.tools.naming());
	}

	@Bean
	@Order(770)
	@ConditionalOnMissingBean
	RewindTool kairoRewindTool() {
		return new RewindTool(this.tools.read().maxCharacters(), this.tools.naming());
	}

	@Bean
	@Order(780)
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "kairo.trials.enabled", matchIfMissing = true)
	TrialTool kairoTrialTool() {
		return new TrialTool(this.tools.read().maxCharacters(), this.tools.naming());
	}

}

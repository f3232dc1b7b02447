package io.kairo.autoconfigure.workspace;

import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.autoconfigure.tenancy.TenancyProperties;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.task.AgentRegistry;
import io.kairo.workspace.task.AgentTree;
import io.kairo.workspace.task.FileAgentRegistry;
import io.kairo.workspace.task.TaskWorkspaceProvider;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The provider of the workspaces of a tree of agents.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("kairo.workspace.task.data-dir")
class TaskWorkspaceConfiguration {

	@Bean
	@ConditionalOnMissingBean({ AgentRegistry.class, AgentTree.class })
	AgentRegistry kairoAgentRegistry(KairoProperties kairo) {
		return new FileAgentRegistry(kairo.stateDirectory().resolve("agents"));
	}

	@Bean
	@ConditionalOnMissingBean
	AgentTree kairoAgentTree(AgentRegistry registry) {
		return new AgentTree(registry);
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoTaskWorkspaces", value = WorkspaceProvider.class)
	WorkspaceProviderRegistration kairoTaskWorkspaces(AgentTree tree, WorkspaceProperties properties,
			TenancyProperties tenancy, CommandUser user,
			@Qualifier("kairoLocalFiles") LocalWorkspaceFilesFactory files) {
		user.warnOfBarrier("kairo.workspace.task.data-dir", properties.task().template().base());
		TaskWorkspaceProvider provider = new TaskWorkspaceProvider(tree, properties.task().template(),
				tenancy.defaultTenant());
		return new WorkspaceProviderRegistration("task", properties.readOnly() ? provider.readOnly() : provider,
				provider.files(files));
	}

}

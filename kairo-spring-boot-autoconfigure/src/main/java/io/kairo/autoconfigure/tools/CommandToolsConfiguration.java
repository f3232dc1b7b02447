package io.kairo.autoconfigure.tools;

import java.util.HashMap;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.autoconfigure.sandbox.OnCommandsWanted;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.boot.KairoProperties;
import io.kairo.tools.command.BashInputTool;
import io.kairo.tools.command.BashListTool;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashOutputTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.command.KillBashTool;
import io.kairo.tools.command.WorkingDirectoryPolicy;
import io.kairo.workspace.local.repository.RepositoryGuard;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * The tools for commands, also in the background.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(ExecutionSandbox.class)
@Conditional(OnCommandsWanted.class)
class CommandToolsConfiguration {

	private final ToolsProperties tools;

	private final SandboxProperties sandbox;

	CommandToolsConfiguration(ToolsProperties tools, SandboxProperties sandbox) {
		this.tools = tools;
		this.sandbox = sandbox;
	}

	@Bean(initMethod = "recover")
	@ConditionalOnMissingBean
	RepositoryGuard kairoRepositoryGuard(KairoProperties kairo) {
		return new RepositoryGuard(kairo.stateDirectory().resolve("repositories"));
	}

	@Bean
	@Order(900)
	@ConditionalOnMissingBean
	BashTool kairoBashTool(ObjectProvider<WorkspaceProperties> workspace, RepositoryGuard repositories) {
		WorkspaceProperties workspaces = workspace.getIfAvailable();
		WorkingDirectoryPolicy leaving = (workspaces == null || workspaces.strictCwd()) ? WorkingDirectoryPolicy.RESETS
				: WorkingDirectoryPolicy.CARRIES_COMMANDS;
		Map<String, BashOptions> tenants = new HashMap<>();
		this.sandbox.tenants()
			.keySet()
			.forEach((tenant) -> tenants.put(tenant, bash(this.sandbox.of(tenant), leaving)));
		boolean tasks = workspaces != null && workspaces.provider().equals("task");
		return new BashTool(bash(this.sandbox, leaving), this.tools.naming(), tenants,
				tasks ? WorkspaceKind.TASK : WorkspaceKind.LOCAL, repositories);
	}

	private static BashOptions bash(SandboxProperties properties, WorkingDirectoryPolicy leaving) {
		return new BashOptions(properties.timeout(), properties.maxTimeout(), properties.maxOutputBytes().toBytes(),
				properties.tailBytes().toBytes(), leaving);
	}

	@Bean
	@Order(910)
	@ConditionalOnMissingBean
	BashOutputTool kairoBashOutputTool() {
		return new BashOutputTool(this.sandbox.timeout(), this.sandbox.maxTimeout(), this.tools.naming());
	}

	@Bean
	@Order(920)
	@ConditionalOnMissingBean
	BashInputTool kairoBashInputTool() {
		return new BashInputTool(this.tools.naming());
	}

	@Bean
	@Order(930)
	@ConditionalOnMissingBean
	KillBashTool kairoKillBashTool() {
		return new KillBashTool(this.tools.naming());
	}

	@Bean
	@Order(940)
	@ConditionalOnMissingBean
	BashListTool kairoBashListTool() {
		return new BashListTool(this.tools.naming());
	}

}

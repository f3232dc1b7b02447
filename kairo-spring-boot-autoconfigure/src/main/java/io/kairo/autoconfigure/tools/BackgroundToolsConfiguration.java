package io.kairo.autoconfigure.tools;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.autoconfigure.sandbox.OnCommandsWanted;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.tools.command.BashInputTool;
import io.kairo.tools.command.BashListTool;
import io.kairo.tools.command.BashOutputTool;
import io.kairo.tools.command.KillBashTool;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * The tools for commands in the background.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(ExecutionSandbox.class)
@Conditional(OnCommandsWanted.class)
class BackgroundToolsConfiguration {

	@Bean
	@Order(910)
	@ConditionalOnMissingBean
	BashOutputTool kairoBashOutputTool(SandboxProperties properties, ToolsProperties tools) {
		return new BashOutputTool(properties.timeout(), properties.maxTimeout(), tools.naming());
	}

	@Bean
	@Order(920)
	@ConditionalOnMissingBean
	BashInputTool kairoBashInputTool(ToolsProperties properties) {
		return new BashInputTool(properties.naming());
	}

	@Bean
	@Order(930)
	@ConditionalOnMissingBean
	KillBashTool kairoKillBashTool(ToolsProperties properties) {
		return new KillBashTool(properties.naming());
	}

	@Bean
	@Order(940)
	@ConditionalOnMissingBean
	BashListTool kairoBashListTool(ToolsProperties properties) {
		return new BashListTool(properties.naming());
	}

}

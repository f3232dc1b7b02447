package io.kairo.test.autoconfigure;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.test.FakeSandbox;
import io.kairo.test.RecordedCalls;
import io.kairo.test.TestWorkspaces;
import io.kairo.test.springai.ScriptedChatModel;

import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the fakes of {@link AutoConfigureKairo}. It is not among the
 * auto-configurations of an application.
 */
@AutoConfiguration(before = { KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class },
		beforeName = "org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration")
public final class KairoTestAutoConfiguration {

	KairoTestAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean({ WorkspaceProvider.class, WorkspaceFilesFactory.class })
	TestWorkspaces kairoTestWorkspaces() {
		return new TestWorkspaces();
	}

	@Bean
	@ConditionalOnMissingBean(ExecutionSandbox.class)
	FakeSandbox kairoFakeSandbox() {
		return new FakeSandbox();
	}

	/** Around all other interceptors. */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@ConditionalOnMissingBean
	RecordedCalls kairoRecordedCalls() {
		return new RecordedCalls();
	}

	/**
	 * Creates the chat model.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatModel.class)
	static class ChatModelConfiguration {

		@Bean
		@ConditionalOnMissingBean(ChatModel.class)
		ScriptedChatModel kairoScriptedChatModel() {
			return new ScriptedChatModel();
		}

	}

}

package io.kairo.mcp;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.kairo.autoconfigure.langchain4j.KairoLangChain4jAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.springai.KairoSpringAiAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.boot.OfferedTools;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.ToolDefinition;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OfferedTools}: the tools for checkouts are offered where workspaces
 * are checkouts.
 */
class OfferedToolsTests {

	private static final String[] HISTORY = { "Diff", "Commit", "Push" };

	@TempDir
	Path temp;

	private WebApplicationContextRunner runner;

	@BeforeEach
	void makeRoot() throws Exception {
		Path root = Files.createDirectory(this.temp.resolve("root"));
		Files.createDirectories(root.resolve(".git/objects"));
		this.runner = new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KairoMcpAutoConfiguration.class, KairoSpringAiAutoConfiguration.class,
							KairoLangChain4jAutoConfiguration.class, KairoTenancyAutoConfiguration.class,
							KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
							KairoGitWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=none", "kairo.mcp.expose=*", "kairo.workspace.roots=" + root,
					"kairo.state-dir=" + this.temp.resolve("state"));
	}

	private static List<String> mcp(ApplicationContext context) {
		return context.getBean(McpExposure.class).exposed().stream().map(ToolDefinition::name).toList();
	}

	private static List<String> springAi(ApplicationContext context) {
		return Stream.of(context.getBean("kairoToolCallbackProvider", ToolCallbackProvider.class).getToolCallbacks())
			.map((callback) -> callback.getToolDefinition().name())
			.toList();
	}

	private static List<String> langChain4j(ApplicationContext context) {
		return context.getBean("kairoToolProvider", ToolProvider.class)
			.provideTools(ToolProviderRequest.builder()
				.invocationContext(InvocationContext.builder().chatMemoryId("x").build())
				.userMessage(UserMessage.from("x"))
				.build())
			.tools()
			.keySet()
			.stream()
			.map(ToolSpecification::name)
			.toList();
	}

	@Test
	void historyIsNotOfferedInLocalDirectory() {
		this.runner.run((context) -> {
			assertThat(mcp(context)).contains("Read").doesNotContain(HISTORY);
			assertThat(springAi(context)).contains("Read").doesNotContain(HISTORY);
			assertThat(langChain4j(context)).contains("Read").doesNotContain(HISTORY);
		});
	}

	@Test
	void historyIsNotOfferedByAnyOtherName() {
		this.runner.withPropertyValues("kairo.tools.name-prefix=my_", "kairo.tools.naming=snake_case")
			.run((context) -> assertThat(springAi(context)).contains("my_read_file")
				.doesNotContain("my_diff", "my_commit", "my_push"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.workspace.hint=git:https://git.example.org/x.git", "kairo.workspace.provider=git" })
	void historyIsOfferedInCheckout(String property) {
		this.runner.withPropertyValues(property).run((context) -> {
			assertThat(mcp(context)).contains(HISTORY);
			assertThat(springAi(context)).contains(HISTORY);
			assertThat(langChain4j(context)).contains(HISTORY);
		});
	}

	@Test
	void namedToolIsOfferedOverMcpInAnyWorkspace() {
		this.runner.withPropertyValues("kairo.mcp.expose=Read,Diff")
			.run((context) -> assertThat(mcp(context)).containsExactly("Read", "Diff"));
	}

	/**
	 * The application may choose a checkout for a session, but an MCP client cannot.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "allowed-urls=https://git.example.org/", "enabled=true" })
	void historyIsOfferedToApplicationThatConfiguresCheckouts(String property) {
		this.runner.withPropertyValues("kairo.workspace.git." + property).run((context) -> {
			assertThat(mcp(context)).doesNotContain(HISTORY);
			assertThat(springAi(context)).contains(HISTORY);
			assertThat(langChain4j(context)).contains(HISTORY);
		});
	}

}

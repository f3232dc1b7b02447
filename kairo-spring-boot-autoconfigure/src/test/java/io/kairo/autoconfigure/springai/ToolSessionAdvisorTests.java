package io.kairo.autoconfigure.springai;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.springai.KairoSpringAiAutoConfigurationTests.Script;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.CallEntries;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolSessionAdvisor}.
 */
class ToolSessionAdvisorTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann", Map.of("plan", "gold"));

	@TempDir
	private Path directory;

	private final Script model = new Script();

	private final List<Call> calls = new ArrayList<>();

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSpringAiAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withBean(ToolInterceptor.class, () -> (call, context, chain) -> {
				this.calls.add(Call.of(context));
				return chain.proceed(call, context);
			})
			.withPropertyValues("kairo.workspace.roots=" + this.directory + "/{tenant}", "kairo.sandbox.type=none");
	}

	@Test
	void toolsReceiveTenantOfThreadAndConversationOfMemory() {
		runner().run((context) -> as(ACME, context, () -> {
			ask(context, (prompt) -> prompt.advisors((spec) -> spec.param(ChatMemory.CONVERSATION_ID, "c1"))).call()
				.content();
			assertThat(this.calls).containsExactly(new Call(ACME, "c1"));
			assertThat(context.getBean(AgentSessions.class).list()).singleElement()
				.satisfies((session) -> assertThat(session.id()).isEqualTo("c1"));
		}));
	}

	@Test
	void entryOfApplicationTakesPrecedence() {
		Map<String, Object> entries = Map.of(CallEntries.SESSION_ID, "s1", TenantContext.ATTR_TENANT_ID, "other");
		runner().run((context) -> as(ACME, context, () -> {
			ask(context, (prompt) -> prompt.toolContext(entries)
				.advisors((spec) -> spec.param(ChatMemory.CONVERSATION_ID, "c1"))).call().content();
			assertThat(this.calls).containsExactly(new Call(new TenantContext("other", "other"), "s1"));
		}));
	}

	@Test
	void parameterOfAdvisorBecomesEntry() throws Exception {
		Files.createDirectories(this.directory.resolve("acme/sub"));
		this.model.calls.add(call("Write", "{\"file_path\":\"a.txt\",\"content\":\"one\"}"));
		runner().run((context) -> as(ACME, context, () -> {
			ask(context, (prompt) -> prompt
				.advisors((spec) -> spec.param(CallEntries.WORKSPACE, "sub").param(TenantContext.ATTR_AGENT_ID, "a1")))
				.call()
				.content();
			assertThat(this.directory.resolve("acme/sub/a.txt")).hasContent("one");
			assertThat(this.calls.get(0).tenant().attributes()).containsEntry(TenantContext.ATTR_AGENT_ID, "a1")
				.containsEntry("plan", "gold");
		}));
	}

	@Test
	void promptWithoutConversationIsSessionOfItsOwnUntilItsEnd() throws Exception {
		Path file = Files.createDirectories(this.directory.resolve("acme")).resolve("a.txt");
		Files.writeString(file, "one\n");
		this.model.calls.add(call("Read", "{\"file_path\":\"a.txt\"}"));
		this.model.calls.add(call("Write", "{\"file_path\":\"a.txt\",\"content\":\"two\\n\"}"));
		runner().run((context) -> as(ACME, context, () -> {
			ask(context, (prompt) -> prompt).call().content();
			assertThat(file).hasContent("two\n");
			assertThat(this.calls).hasSize(3).extracting(Call::session).containsOnly(this.calls.get(0).session());
			assertThat(this.calls.get(0).session()).startsWith("prompt-");
			assertThat(context.getBean(AgentSessions.class).list()).isEmpty();
		}));
	}

	@Test
	void streamHasTenantOfSubscriberAlsoOnOtherThreads() {
		runner().run((context) -> as(ACME, context, () -> {
			ask(context, (prompt) -> prompt).stream().content().publishOn(Schedulers.boundedElastic()).blockLast();
			assertThat(this.calls).singleElement().satisfies((call) -> {
				assertThat(call.tenant()).isEqualTo(ACME);
				assertThat(call.session()).startsWith("prompt-");
			});
			assertThat(context.getBean(AgentSessions.class).list()).isEmpty();
		}));
	}

	@Test
	void streamOfReactiveRequestHasItsPrincipal() {
		runner().run((context) -> {
			ask(context, (prompt) -> prompt).stream()
				.content()
				.contextWrite(ReactiveSecurityContextHolder
					.withAuthentication(new TestingAuthenticationToken("alice", "secret", "ROLE_USER")))
				.blockLast();
			assertThat(this.calls).extracting(Call::tenant).containsExactly(new TenantContext("alice", "alice"));
		});
	}

	@Test
	void callWithoutRequiredTenantIsRefusedByTheTool() {
		runner().withPropertyValues("kairo.tenancy.required=true").run((context) -> {
			ask(context, (prompt) -> prompt).call().content();
			assertThat(this.calls).isEmpty();
			assertThat(this.model.responses).singleElement().asString().startsWith("tenant_required");
		});
	}

	@Test
	void advisorIsDisabledByProperty() {
		runner().withPropertyValues("kairo.spring-ai.advisor.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(ToolCallbackProvider.class)
				.doesNotHaveBean(ToolSessionAdvisor.class)
				.doesNotHaveBean(ChatClientBuilderCustomizer.class));
	}

	@Test
	void advisorBacksOffWithoutChatClients() {
		runner().withClassLoader(new FilteredClassLoader("org.springframework.ai.chat.client"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ToolCallbackProvider.class)
				.doesNotHaveBean("kairoToolSessionAdvisor"));
	}

	private ChatClientRequestSpec ask(ApplicationContext context, UnaryOperator<ChatClientRequestSpec> prompt) {
		this.model.calls.add(call("List", "{}"));
		ChatClient.Builder builder = ChatClient.builder(this.model)
			.defaultTools(context.getBean(ToolCallbackProvider.class));
		context.getBean(ChatClientBuilderCustomizer.class).customize(builder);
		return prompt.apply(builder.build().prompt("Do it"));
	}

	private static AssistantMessage.ToolCall call(String tool, String arguments) {
		return new AssistantMessage.ToolCall("1", "function", tool, arguments);
	}

	private static void as(TenantContext tenant, ApplicationContext context, Work work) throws Exception {
		try (TenantContextHolder.Scope scope = context.getBean(TenantContextHolder.class).bind(tenant)) {
			work.run();
		}
	}

	/**
	 * A part of a test.
	 */
	@FunctionalInterface
	private interface Work {

		void run() throws Exception;

	}

	/**
	 * The caller of a tool.
	 *
	 * @param tenant the tenant
	 * @param session the id of the session
	 */
	private record Call(TenantContext tenant, String session) {

		static Call of(ToolContext context) {
			return new Call(context.tenant(), String.valueOf(context.sessionId()));
		}

	}

}

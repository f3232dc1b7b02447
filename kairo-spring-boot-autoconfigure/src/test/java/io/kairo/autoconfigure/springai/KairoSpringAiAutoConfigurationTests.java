package io.kairo.autoconfigure.springai;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.api.tenant.TenantContextHolder.Scope;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.CallEntries;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.ToolInterceptor;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.mcp.ToolContextToMcpMetaConverter;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KairoSpringAiAutoConfiguration}, with a chat client and a model that
 * follows a script.
 */
@ExtendWith(OutputCaptureExtension.class)
class KairoSpringAiAutoConfigurationTests {

	@TempDir
	private Path directory;

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSpringAiAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.sandbox.type=process");
	}

	@Nested
	class Beans {

		@Test
		void everyToolOfCatalogIsCallbackWithItsSchema() {
			runner().run((context) -> {
				ToolCallback read = callback(context, "Read");
				assertThat(read.getToolDefinition().inputSchema()).contains("\"required\":[\"file_path\"]");
				assertThat(read.getToolDefinition().description()).startsWith("Reads a text file");
				assertThat(callback(context, "Bash")).isNotNull();
			});
		}

		@Test
		void providerHidesToolsThatAreNotEnabledForTenantOfThread() {
			runner().withPropertyValues("kairo.tools.enabled=Read", "kairo.tools.tenants.acme.enabled=Glob")
				.run((context) -> {
					ToolCallbackProvider provider = context.getBean(ToolCallbackProvider.class);
					assertThat(provider.getToolCallbacks())
						.extracting((callback) -> callback.getToolDefinition().name())
						.containsExactly("Read");
				});
		}

		@Test
		void serversThatTheClientCallsAreNotToldTenantAndSession() {
			runner().run((context) -> assertThat(context.getBean(ToolContextToMcpMetaConverter.class)
				.convert(new ToolContext(Map.of("tenant.id", "acme", "tenant.principal", "ann", "kairo.session.id", "s",
						"kairo.tenant", new TenantContext("acme", "ann"), "trace", "t"))))
				.isEqualTo(Map.of("trace", "t")));
		}

		@Test
		void providerIsDisabledByProperty() {
			runner().withPropertyValues("kairo.spring-ai.enabled=false")
				.run((context) -> assertThat(context).doesNotHaveBean(ToolCallbackProvider.class));
		}

		@Test
		void providerBacksOffWithoutSpringAi() {
			runner().withClassLoader(new FilteredClassLoader("org.springframework.ai"))
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoToolCallbackProvider"));
		}

		@Test
		void providerIsAddedToThoseOfTheApplication() {
			runner().withBean("other", ToolCallbackProvider.class, () -> ToolCallbackProvider.from(List.of()))
				.run((context) -> assertThat(context).getBeans(ToolCallbackProvider.class).hasSize(2));
		}

		@Test
		void reportOfNamesCreatesNoLazyBeans() {
			List<String> created = new ArrayList<>();
			BeanDefinitionCustomizer lazy = (definition) -> definition.setLazyInit(true);
			BeanDefinitionCustomizer prototype = (definition) -> definition.setScope("prototype");
			for (BeanDefinitionCustomizer kind : List.of(lazy, prototype)) {
				runner().withBean("other", ToolCallbackProvider.class, () -> {
					created.add("other");
					return ToolCallbackProvider.from(List.of());
				}, kind).run((context) -> assertThat(context).hasNotFailed());
			}
			assertThat(created).isEmpty();
		}

		@Test
		void toolsOfKairoInProviderOfApplicationAreNotReported(CapturedOutput output) {
			runner().withBean("others", Others.class)
				.run((context) -> assertThat(context.getBean(Others.class).getToolCallbacks()).isNotEmpty());
			assertThat(output).doesNotContain("has the name of a tool of Kairo");
		}

		@Test
		void providerThatFailsDoesNotFailTheStart() {
			ToolCallbackProvider unreachable = () -> {
				throw new IllegalStateException("unreachable");
			};
			runner().withBean("other", ToolCallbackProvider.class, () -> unreachable)
				.run((context) -> assertThat(context).hasNotFailed());
		}

		@Test
		void providerIsReplacedByBeanOfSameName() {
			ToolCallbackProvider own = ToolCallbackProvider.from(List.of());
			runner().withBean("kairoToolCallbackProvider", ToolCallbackProvider.class, () -> own)
				.run((context) -> assertThat(context).getBean(ToolCallbackProvider.class).isSameAs(own));
		}

	}

	@Nested
	class Calls {

		@Test
		void callReturnsTextOfResultUnchanged() throws Exception {
			Files.writeString(KairoSpringAiAutoConfigurationTests.this.directory.resolve("a.txt"), "one\n\"two\"\n");
			runner().run((context) -> assertThat(callback(context, "Read").call("{\"file_path\":\"a.txt\"}"))
				.startsWith("     1\tone\n     2\t\"two\"\n"));
		}

		@Test
		void failureIsThrownWithCodeAndRemedy() {
			runner().run((context) -> assertThatExceptionOfType(ToolExecutionException.class)
				.isThrownBy(() -> callback(context, "Read").call("{\"file_path\":\"missing.txt\"}"))
				.withMessageStartingWith("file_not_found"));
		}

		@Test
		void argumentsOtherThanJsonObjectFail() {
			runner().run((context) -> assertThatExceptionOfType(ToolExecutionException.class)
				.isThrownBy(() -> callback(context, "Read").call("[1"))
				.withMessageStartingWith("invalid_arguments: The arguments are not a JSON object"));
		}

		@Test
		void writeWithoutSessionAcceptsVersionOfPreviousRead() throws Exception {
			Path file = Files.writeString(KairoSpringAiAutoConfigurationTests.this.directory.resolve("a.txt"), "one\n");
			runner().run((context) -> {
				String read = callback(context, "Read").call("{\"file_path\":\"a.txt\"}");
				String version = read.replaceAll("(?s).*\\(version (\\S+)\\)", "$1");
				callback(context, "Write")
					.call("{\"file_path\":\"a.txt\",\"content\":\"two\\n\",\"expected_version\":\"" + version + "\"}");
				assertThat(file).hasContent("two\n");
			});
		}

		@Test
		void callsOfSessionShareWorkingDirectory() throws Exception {
			Files.createDirectory(KairoSpringAiAutoConfigurationTests.this.directory.resolve("sub"));
			runner().run((context) -> {
				ToolCallback bash = callback(context, "Bash");
				ToolContext session = new ToolContext(Map.of(CallEntries.SESSION_ID, "s1"));
				bash.call("{\"command\":\"cd sub\"}", session);
				assertThat(bash.call("{\"command\":\"pwd\"}", session)).contains("/sub");
				assertThat(
						bash.call("{\"command\":\"pwd\"}", new ToolContext(Map.of(ChatMemory.CONVERSATION_ID, "s2"))))
					.doesNotContain("/sub");
				assertThat(bash.call("{\"command\":\"pwd\"}")).doesNotContain("/sub");
			});
		}

		@Test
		void workspaceOfToolContextIsUsed() throws Exception {
			Path sub = Files
				.createDirectory(KairoSpringAiAutoConfigurationTests.this.directory.toRealPath().resolve("sub"));
			runner().run((context) -> {
				ToolCallback bash = callback(context, "Bash");
				assertThat(bash.call("{\"command\":\"pwd\"}",
						new ToolContext(Map.of(CallEntries.WORKSPACE, sub.toString()))))
					.isEqualTo(sub.toString());
				assertThatExceptionOfType(ToolExecutionException.class)
					.isThrownBy(() -> bash.call("{\"command\":\"pwd\"}",
							new ToolContext(Map.of(CallEntries.WORKSPACE, "memory:notes"))))
					.withMessageStartingWith("unsupported_file_type");
				assertThatExceptionOfType(ToolExecutionException.class)
					.isThrownBy(() -> callback(context, "Write").call("{\"file_path\":\"a\",\"content\":\"x\"}",
							new ToolContext(Map.of(CallEntries.READ_ONLY, true))))
					.withMessageStartingWith("read_only");
			});
		}

		@Test
		void configuredHintIsUsedWithoutWorkspaceInToolContext() throws Exception {
			Files.createDirectory(KairoSpringAiAutoConfigurationTests.this.directory.resolve("sub"));
			runner().withPropertyValues("kairo.workspace.hint=sub")
				.run((context) -> assertThat(callback(context, "Bash").call("{\"command\":\"pwd\"}")).endsWith("/sub"));
		}

		@Test
		void subAgentHasItsOwnWorkingDirectory() throws Exception {
			Files.createDirectory(KairoSpringAiAutoConfigurationTests.this.directory.resolve("sub"));
			runner().run((context) -> {
				ToolCallback bash = callback(context, "Bash");
				ToolContext parent = new ToolContext(Map.of(CallEntries.SESSION_ID, "s1"));
				ToolContext child = new ToolContext(Map.of(CallEntries.SESSION_ID, "s1", CallEntries.CHILD, "helper"));
				bash.call("{\"command\":\"cd sub\"}", parent);
				assertThat(bash.call("{\"command\":\"pwd\"}", child)).doesNotContain("/sub");
				bash.call("{\"command\":\"cd sub && mkdir own && cd own\"}", child);
				assertThat(bash.call("{\"command\":\"pwd\"}", child)).endsWith("/sub/own");
				assertThat(bash.call("{\"command\":\"pwd\"}", parent)).endsWith("/sub");
			});
		}

		@Test
		void tenantOfToolContextIsConvertedToString() {
			List<TenantContext> tenants = new ArrayList<>();
			recording(tenants).run((context) -> {
				callback(context, "Bash").call("{\"command\":\"true\"}", new ToolContext(Map
					.of(TenantContext.ATTR_TENANT_ID, 42L, TenantContext.ATTR_PRINCIPAL_ID, new StringBuilder("x"))));
				assertThat(tenants).containsExactly(new TenantContext("42", "x"));
			});
		}

		@Test
		void missingTenantFails() {
			runner().withPropertyValues("kairo.tenancy.required=true")
				.run((context) -> assertThatExceptionOfType(ToolExecutionException.class)
					.isThrownBy(() -> callback(context, "Read").call("{\"file_path\":\"a.txt\"}"))
					.withMessageStartingWith("tenant_required")
					.withMessageNotContaining("kairo."));
		}

		@Test
		void tenantOfToolContextTakesPrecedenceOverBoundTenant() {
			List<TenantContext> tenants = new ArrayList<>();
			runner().withBean(ToolInterceptor.class, () -> (call, context, chain) -> {
				tenants.add(context.tenant());
				return chain.proceed(call, context);
			}).run((context) -> {
				ToolCallback read = callback(context, "Bash");
				read.call("{\"command\":\"true\"}",
						new ToolContext(Map.of(TenantContext.ATTR_PRINCIPAL_ID, "ignored")));
				assertThat(tenants).containsExactly(TenantContext.SINGLE);
			});
		}

	}

	@Nested
	class WithChatClient {

		@Test
		void toolOfStreamIsCalledForTenantOfStream() {
			List<TenantContext> tenants = new ArrayList<>();
			recording(tenants).withUserConfiguration(ScriptedModel.class).run((context) -> {
				Script script = context.getBean(Script.class);
				script.calls.add(new AssistantMessage.ToolCall("1", "function", "Bash", "{\"command\":\"true\"}"));
				TenantContext acme = new TenantContext("acme", "ann");
				Flux<String> stream = ChatClient.create(script)
					.prompt("Do it")
					.toolCallbacks(List.of(context.getBean(ToolCallbackProvider.class).getToolCallbacks()))
					.stream()
					.content()
					.contextCapture();
				try (Scope scope = context.getBean(TenantContextHolder.class).bind(acme)) {
					assertThat(stream.collectList().block()).contains("done");
				}
				assertThat(tenants).containsExactly(acme);
				assertThat(script.streamed).isTrue();
			});
		}

		@Test
		void toolOfStreamIsCalledForPrincipalOfReactiveRequest() {
			List<TenantContext> tenants = new ArrayList<>();
			recording(tenants).withUserConfiguration(ScriptedModel.class).run((context) -> {
				Script script = context.getBean(Script.class);
				for (String name : List.of("alice", "bob")) {
					script.calls.add(new AssistantMessage.ToolCall("1", "function", "Bash", "{\"command\":\"true\"}"));
					Flux<String> stream = ChatClient.create(script)
						.prompt("Do it")
						.toolCallbacks(List.of(context.getBean(ToolCallbackProvider.class).getToolCallbacks()))
						.stream()
						.content()
						.contextWrite(ReactiveSecurityContextHolder
							.withAuthentication(new TestingAuthenticationToken(name, "secret", "ROLE_USER")));
					assertThat(stream.collectList().block()).contains("done");
				}
				assertThat(tenants).containsExactly(new TenantContext("alice", "alice"),
						new TenantContext("bob", "bob"));
			});
		}

		@Test
		void modelReceivesContentOfFileAndFailureOfCall() throws Exception {
			Files.writeString(KairoSpringAiAutoConfigurationTests.this.directory.resolve("a.txt"), "forty-two\n");
			runner().withUserConfiguration(ScriptedModel.class).run((context) -> {
				Script script = context.getBean(Script.class);
				script.calls.add(new AssistantMessage.ToolCall("1", "function", "Read", "{\"file_path\":\"a.txt\"}"));
				script.calls.add(new AssistantMessage.ToolCall("2", "function", "Read", "{\"file_path\":\"../b\"}"));
				String answer = ChatClient.create(script)
					.prompt("What is in a.txt?")
					.toolCallbacks(List.of(context.getBean(ToolCallbackProvider.class).getToolCallbacks()))
					.call()
					.content();
				assertThat(answer).isEqualTo("done");
				assertThat(script.responses).hasSize(2);
				assertThat(script.responses.get(0)).startsWith("     1\tforty-two\n");
				assertThat(script.responses.get(1)).startsWith("path_traversal_blocked");
			});
		}

	}

	/**
	 * Returns a runner for an application that records the tenants of tool calls.
	 */
	private ApplicationContextRunner recording(List<TenantContext> tenants) {
		return runner().withBean(ToolInterceptor.class, () -> (call, context, chain) -> {
			tenants.add(context.tenant());
			return chain.proceed(call, context);
		}).withPropertyValues("kairo.workspace.roots=" + this.directory + "/{tenant}");
	}

	private static ToolCallback callback(ApplicationContext context, String name) {
		return List.of(context.getBean(ToolCallbackProvider.class).getToolCallbacks())
			.stream()
			.filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Configuration(proxyBeanMethods = false)
	static class ScriptedModel {

		@Bean
		Script script() {
			return new Script();
		}

	}

	/**
	 * A model that requests tool calls one after the other and then returns an answer.
	 */
	static class Script implements ChatModel {

		final Deque<AssistantMessage.ToolCall> calls = new ArrayDeque<>();

		final List<String> responses = new ArrayList<>();

		boolean streamed;

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return Flux.defer(() -> {
				this.streamed = true;
				return Flux.just(call(prompt));
			});
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			Message last = prompt.getInstructions().get(prompt.getInstructions().size() - 1);
			if (last instanceof ToolResponseMessage message) {
				message.getResponses().forEach((response) -> this.responses.add(response.responseData()));
			}
			AssistantMessage.ToolCall call = this.calls.poll();
			AssistantMessage answer = (call != null)
					? AssistantMessage.builder().content("").toolCalls(List.of(call)).build()
					: new AssistantMessage("done");
			return new ChatResponse(List.of(new Generation(answer)));
		}

	}

	/**
	 * A provider of the application that passes on the tools of Kairo.
	 *
	 * @param beans the beans
	 */
	record Others(BeanFactory beans) implements ToolCallbackProvider {

		@Override
		public ToolCallback[] getToolCallbacks() {
			return this.beans.getBean("kairoToolCallbackProvider", ToolCallbackProvider.class).getToolCallbacks();
		}

	}

}

package io.kairo.autoconfigure.langchain4j;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.CallEntries;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link KairoLangChain4jAutoConfiguration}, with a service and a model that
 * follows a script.
 */
class KairoLangChain4jAutoConfigurationTests {

	@TempDir
	Path directory;

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoLangChain4jAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.sandbox.type=process");
	}

	private static Map<ToolSpecification, ToolExecutor> tools(ApplicationContext context,
			Map<String, Object> parameters) {
		ToolProviderRequest request = ToolProviderRequest.builder()
			.invocationContext(context(parameters, "default"))
			.userMessage(dev.langchain4j.data.message.UserMessage.from("hello"))
			.build();
		return context.getBean(ToolProvider.class).provideTools(request).tools();
	}

	private static InvocationContext context(Map<String, Object> parameters, Object memory) {
		return InvocationContext.builder()
			.invocationParameters(InvocationParameters.from(parameters))
			.chatMemoryId(memory)
			.build();
	}

	private static ToolExecutionResult call(ApplicationContext context, String tool, Object arguments,
			Map<String, Object> parameters, Object memory) {
		ToolExecutor executor = tools(context, Map.of()).entrySet()
			.stream()
			.filter((entry) -> entry.getKey().name().equals(tool))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElseThrow();
		String json = (arguments instanceof String text) ? text : new JsonMapper().writeValueAsString(arguments);
		return executor.executeWithContext(ToolExecutionRequest.builder().id("1").name(tool).arguments(json).build(),
				context(parameters, memory));
	}

	private static ToolExecutionResult call(ApplicationContext context, String tool, Object arguments) {
		return call(context, tool, arguments, Map.of(), "default");
	}

	@Test
	void everyToolOfTheCatalogIsOfferedWithItsSchema() {
		runner().run((context) -> {
			List<ToolSpecification> offered = List.copyOf(tools(context, Map.of()).keySet());
			List<ToolDefinition> definitions = context.getBean(ToolCatalog.class).definitions();
			assertThat(offered).extracting(ToolSpecification::name)
				.containsExactlyElementsOf(definitions.stream().map(ToolDefinition::name).toList());
			JsonMapper mapper = new JsonMapper();
			for (int i = 0; i < offered.size(); i++) {
				assertThat(offered.get(i).description()).isEqualTo(definitions.get(i).description());
				Map<String, Object> expected = definitions.get(i).inputSchema();
				assertThat(offered.get(i).parameters().required())
					.isEqualTo(expected.getOrDefault("required", List.of()));
				assertThat(JsonSchemaElementUtils.toMap(offered.get(i).parameters()).get("properties"))
					.isEqualTo(mapper.readValue(mapper.writeValueAsString(expected.get("properties")), Map.class));
			}
		});
	}

	@Test
	void serviceCallsToolsAndItsModelGetsTheirTexts() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "one\ntwo\n");
		ScriptedModel model = new ScriptedModel(List.of(AiMessage.from(request("Read", Map.of("file_path", "a.txt"))),
				AiMessage.from(request("Bash", Map.of("command", "echo $((40+2))"))),
				AiMessage.from(request("Read", Map.of("file_path", "missing.txt"))), AiMessage.from("done")));
		runner().run((context) -> {
			Agent agent = AiServices.builder(Agent.class)
				.chatModel(model)
				.toolProvider(context.getBean(ToolProvider.class))
				.build();
			assertThat(agent.ask("look", InvocationParameters.from(CallEntries.SESSION_ID, "s1"))).isEqualTo("done");
		});
		assertThat(model.results).hasSize(3);
		assertThat(model.results.get(0)).contains("one", "two");
		assertThat(model.results.get(1)).contains("42");
		assertThat(model.results.get(2)).startsWith("file_not_found");
	}

	@Test
	void sessionIsNamedByTheParametersOrTheMemory() throws Exception {
		Path file = Files.writeString(this.directory.resolve("a.txt"), "one");
		Map<String, Object> change = Map.of("file_path", "a.txt", "content", "two");
		runner().run((context) -> {
			Map<String, Object> session = Map.of(CallEntries.SESSION_ID, "s1");
			assertThat(call(context, "Read", Map.of("file_path", "a.txt"), session, "default").isError()).isFalse();
			assertThat(call(context, "Read", Map.of("file_path", "a.txt"), Map.of(), "default").isError()).isFalse();
			assertThat(call(context, "Write", change, Map.of(), "default").isError()).as("a session of its own")
				.isTrue();
			assertThat(call(context, "Write", change, session, "m1").isError()).isFalse();
			assertThat(file).hasContent("two");
			assertThat(call(context, "Read", Map.of("file_path", "a.txt"), Map.of(), "m2").isError()).isFalse();
			assertThat(
					call(context, "Write", Map.of("file_path", "a.txt", "content", "three"), Map.of(), "m2").isError())
				.isFalse();
		});
	}

	@Test
	void tenantIsThatOfTheParametersAndACallWithoutOneIsRefused() throws Exception {
		Files.createDirectories(this.directory.resolve("acme"));
		Files.writeString(this.directory.resolve("acme/a.txt"), "of acme");
		Files.createDirectories(this.directory.resolve("globex"));
		runner()
			.withPropertyValues("kairo.workspace.roots=" + this.directory + "/{tenant}", "kairo.tenancy.required=true")
			.run((context) -> {
				Map<String, Object> arguments = Map.of("file_path", "a.txt");
				assertThat(call(context, "Read", arguments, Map.of("tenant.id", "acme"), "default").resultText())
					.contains("of acme");
				assertThat(call(context, "Read", arguments, Map.of("tenant.id", "globex"), "default").isError())
					.isTrue();
				ToolExecutionResult refused = call(context, "Read", arguments);
				assertThat(refused.isError()).isTrue();
				assertThat(refused.resultText()).startsWith("tenant_required");
			});
	}

	@Test
	void toolsThatAreNotEnabledForTheTenantAreNotOffered() {
		runner().withPropertyValues("kairo.tools.enabled=Read", "kairo.tools.tenants.acme.enabled=Glob")
			.run((context) -> {
				assertThat(tools(context, Map.of()).keySet()).extracting(ToolSpecification::name)
					.containsExactly("Read");
				assertThat(tools(context, Map.of("tenant.id", "acme")).keySet()).extracting(ToolSpecification::name)
					.containsExactly("Glob");
			});
	}

	@Test
	void imageIsAContentBesideTheText() throws Exception {
		byte[] png = { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 0 };
		Files.write(this.directory.resolve("a.png"), png);
		runner().run((context) -> {
			ToolExecutionResult result = call(context, "Read", Map.of("file_path", "a.png"));
			assertThat(result.isError()).isFalse();
			assertThat(result.resultContents()).hasSize(2);
		});
	}

	@Test
	void argumentsThatAreNoObjectAreAnError() {
		runner().run((context) -> {
			ToolExecutionResult result = call(context, "Read", "[1");
			assertThat(result.isError()).isTrue();
			assertThat(result.resultText()).startsWith("invalid_arguments").contains("not a JSON object");
		});
	}

	@Test
	void parameterOfAWrongTypeIsAnErrorOfTheApplication() {
		runner().run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> call(context, "Read", Map.of("file_path", "a"), Map.of("kairo.workspace", 7), "default"))
			.withMessageContaining("'kairo.workspace' of the invocation parameters"));
	}

	@Test
	void providerBacksOff() {
		runner().withPropertyValues("kairo.langchain4j.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ToolProvider.class));
		runner().withClassLoader(new FilteredClassLoader("dev.langchain4j"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoToolProvider"));
	}

	private static ToolExecutionRequest request(String tool, Map<String, Object> arguments) {
		return ToolExecutionRequest.builder()
			.id(tool)
			.name(tool)
			.arguments(new JsonMapper().writeValueAsString(arguments))
			.build();
	}

	/**
	 * A service whose caller passes parameters.
	 */
	interface Agent {

		String ask(@UserMessage String question, InvocationParameters parameters);

	}

	/**
	 * A model that answers with the messages of a script.
	 */
	private static final class ScriptedModel implements ChatModel {

		private final Iterator<AiMessage> script;

		private final List<@Nullable String> results = new ArrayList<>();

		ScriptedModel(List<AiMessage> script) {
			this.script = script.iterator();
		}

		@Override
		public ChatResponse doChat(ChatRequest request) {
			if (request.messages().get(request.messages().size() - 1) instanceof ToolExecutionResultMessage result) {
				this.results.add(result.text());
			}
			return ChatResponse.builder().aiMessage(this.script.next()).build();
		}

	}

}

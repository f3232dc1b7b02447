package io.kairo.tools;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.tools.edit.MultiEditTool;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ToolCatalog}.
 */
class ToolCatalogTests {

	private final ToolContext context = ToolContext.builder(null).files(new NoFiles()).sandbox((request) -> {
		throw new IllegalStateException("not used");
	}).build();

	@Test
	void callInvokesToolWithGivenName() {
		ToolCatalog catalog = ToolCatalog.of(List.of(tool("One"), tool("Two")), List.of());
		assertThat(catalog.call(call("Two"), this.context).text()).isEqualTo("Two {}");
		assertThat(catalog.definitions()).extracting(ToolDefinition::name).containsExactly("One", "Two");
		assertThat(catalog.names()).containsExactly("One", "Two");
	}

	@Test
	void unknownToolReturnsErrorThatListsKnownTools() {
		ToolResult result = ToolCatalog.of(List.of(tool("One"), tool("Two")), List.of())
			.call(call("Three"), this.context);
		assertThat(result.error()).isNotNull();
		assertThat(result.error().code()).isEqualTo("unknown_tool");
		assertThat(result.text()).contains("Three", "One, Two");
	}

	@Test
	void duplicateToolNameIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ToolCatalog.of(List.of(tool("One"), tool("One")), List.of()))
			.withMessageContaining("'One'");
	}

	@Test
	void callByNameHasUniqueId() {
		Set<String> ids = new HashSet<>();
		ToolCatalog catalog = ToolCatalog.of(List.of(tool("One")), List.of((call, context, chain) -> {
			ids.add(call.id());
			return chain.proceed(call, context);
		}));
		assertThat(catalog.call("One", Map.of("a", 1), this.context).text()).isEqualTo("One {a=1}");
		catalog.call("One", Map.of(), this.context);
		assertThat(ids).hasSize(2).doesNotContain("");
	}

	@Test
	void fileThatACommandHasLeftIsReadByCommands() {
		AgentTool read = new FunctionTool("Read", (arguments) -> {
			throw new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, "outside");
		});
		ToolCatalog catalog = ToolCatalog.of(List.of(read, tool("run_command")), List.of());
		assertThat(catalog.call("Read", Map.of("file_path", "/tmp/out.log"), this.context).error().nextStep())
			.isEqualTo("Use run_command, as in cat '/tmp/out.log', for a file of a command.");
		assertThat(catalog.call("Read", Map.of("file_path", "/etc/passwd"), this.context).error().nextStep()).isNull();
		assertThat(ToolCatalog.of(List.of(read), List.of())
			.call("Read", Map.of("file_path", "/tmp/out.log"), this.context)
			.error()
			.nextStep()).isNull();
	}

	@Nested
	class Interceptors {

		@Test
		void interceptorsSeeDecodedArguments() {
			List<Object> seen = new ArrayList<>();
			ToolCatalog catalog = ToolCatalog.of(List.of(new MultiEditTool()), List.of((call, context, chain) -> {
				seen.add(call.arguments().get("edits"));
				return ToolResult.failure("denied", "No.", null);
			}));
			catalog.call("MultiEdit", Map.of("edits", "[{\"file_path\": \"a.txt\"}]"), ToolCatalogTests.this.context);
			assertThat(seen).containsExactly(List.of(Map.of("file_path", "a.txt")));
		}

		@Test
		void interceptorsRunAroundToolInOrder() {
			List<String> order = new ArrayList<>();
			ToolCatalog catalog = ToolCatalog.of(List.of(tool("One")),
					List.of(recording("outer", order), recording("inner", order)));
			catalog.call(call("One"), ToolCatalogTests.this.context);
			assertThat(order).containsExactly("outer in", "inner in", "inner out", "outer out");
		}

		@Test
		void failureOfAQuestionPassesTheRemainingInterceptors() {
			List<String> order = new ArrayList<>();
			AgentTool failing = new AgentTool() {

				@Override
				public ToolDefinition definition() {
					return tool("One").definition();
				}

				@Override
				public ToolResult call(Map<String, Object> arguments, ToolContext context) {
					throw new IllegalStateException("not called");
				}

				@Override
				public ToolResult validate(Map<String, Object> arguments) {
					return ToolResult.failure("invalid", "No argument is valid.", null);
				}

			};
			ToolCatalog catalog = ToolCatalog.of(List.of(failing),
					List.of((call, context, chain) -> chain.validate(call, context), recording("limits", order)));
			ToolResult result = catalog.call(call("One"), ToolCatalogTests.this.context);
			assertThat(result.text()).startsWith("invalid: ");
			assertThat(order).containsExactly("limits in", "limits out");
		}

		@Test
		void interceptorMayReturnResultInsteadOfTool() {
			ToolCatalog catalog = ToolCatalog.of(List.of(tool("One")),
					List.of((call, context, chain) -> ToolResult.failure("denied", "No.", null)));
			assertThat(catalog.call(call("One"), ToolCatalogTests.this.context).text()).isEqualTo("denied: No.");
		}

		@Test
		void interceptorSeesUnknownToolAndFailureAsResults() {
			List<ToolResult> seen = new ArrayList<>();
			ToolInterceptor recorder = (call, context, chain) -> {
				ToolResult result = chain.proceed(call, context);
				seen.add(result);
				return result;
			};
			ToolCatalog catalog = ToolCatalog.of(List.of(failing(new IllegalStateException("boom"))),
					List.of(recorder));
			catalog.call(call("Nothing"), ToolCatalogTests.this.context);
			catalog.call(call("Failing"), ToolCatalogTests.this.context);
			assertThat(seen).extracting((result) -> result.error().code())
				.containsExactly("unknown_tool", "internal_error");
		}

		@Test
		void failingInterceptorReturnsErrorWithoutDetails() {
			ToolCatalog catalog = ToolCatalog.of(List.of(tool("One")), List.of((call, context, chain) -> {
				throw new IllegalStateException("secret");
			}));
			ToolResult result = catalog.call(call("One"), ToolCatalogTests.this.context);
			assertThat(result.error().code()).isEqualTo("internal_error");
			assertThat(result.text()).doesNotContain("secret");
		}

		private ToolInterceptor recording(String name, List<String> order) {
			return (call, context, chain) -> {
				order.add(name + " in");
				ToolResult result = chain.proceed(call, context);
				order.add(name + " out");
				return result;
			};
		}

	}

	@Nested
	class Exceptions {

		@Test
		void pathExceptionReturnsItsErrorCode() {
			assertFailure(new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, "out"),
					"path_traversal_blocked", "out");
		}

		@Test
		void workspaceExceptionReturnsItsErrorCode() {
			assertFailure(new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "disk", null), "read_failed", "disk");
		}

		@Test
		void sandboxExceptionReturnsItsErrorCodeAndRemedy() {
			assertFailure(new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, "no", "use another"),
					"unsupported_request", "no: use another");
		}

		@ParameterizedTest
		@EnumSource(value = SandboxErrorCode.class,
				names = { "BACKEND_UNAVAILABLE", "START_FAILED", "CLOSED", "SETUP_FAILED" })
		void remedyForOperatorIsNotShownToModel(SandboxErrorCode code) {
			ToolResult result = ToolCatalog
				.of(List.of(failing(new SandboxException(code, "no bwrap", "set kairo.sandbox.type"))), List.of())
				.call(call("Failing"), ToolCatalogTests.this.context);
			assertThat(result.error().code()).isEqualTo(code.code());
			assertThat(result.text()).contains("no bwrap", "log").doesNotContain("kairo.");
		}

		@Test
		void unexpectedExceptionIsNotRevealedToModel() {
			ToolResult result = ToolCatalog.of(List.of(failing(new IllegalStateException("secret"))), List.of())
				.call(call("Failing"), ToolCatalogTests.this.context);
			assertThat(result.error().code()).isEqualTo("internal_error");
			assertThat(result.text()).doesNotContain("secret");
		}

		private void assertFailure(RuntimeException thrown, String code, String message) {
			ToolResult result = ToolCatalog.of(List.of(failing(thrown)), List.of())
				.call(call("Failing"), ToolCatalogTests.this.context);
			assertThat(result.error().code()).isEqualTo(code);
			assertThat(result.error().message()).isEqualTo(message);
			assertThat(result.data()).containsEntry("error", code).containsEntry("message", message);
		}

	}

	@Test
	void callAcceptsNullArgumentValues() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("offset", null);
		assertThat(new ToolCall("1", "One", arguments).arguments()).containsEntry("offset", null);
	}

	private static ToolCall call(String name) {
		return new ToolCall("1", name, Map.of());
	}

	private static AgentTool tool(String name) {
		return new FunctionTool(name, (arguments) -> ToolResult.ok(name + " " + arguments, Map.of()));
	}

	private static AgentTool failing(RuntimeException exception) {
		return new FunctionTool("Failing", (arguments) -> {
			throw exception;
		});
	}

}

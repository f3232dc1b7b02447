package io.kairo.architecture.docs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.architecture.Repository;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that each {@link SampleChecker} reports mistakes.
 */
class SampleCheckersTests {

	private final Repository repository = Repository.find();

	private static Sample sample(String language, String text) {
		return new Sample("page.md", 1, language, "", text);
	}

	@Nested
	class Pages {

		@Test
		void sampleHasTheLineLanguageAndDirectiveOfItsFence() {
			MarkdownPage page = new MarkdownPage("page.md", """
					Text.

					<!-- sample: given String name; runs -->
					```java
					name.length();
					```
					""");
			assertThat(page.samples())
				.containsExactly(new Sample("page.md", 4, "java", "given String name; runs", "name.length();\n"));
			assertThat(page.samples().get(0).given()).containsExactly("String name");
			assertThat(page.samples().get(0).runs()).isTrue();
		}

		@ParameterizedTest
		@ValueSource(strings = { "```java\nint i;\n", "~~~java\nint i;\n~~~\n", "- item\n  ```java\n  ```\n",
				"````java\n````\n" })
		void fenceInOtherFormIsRefused(String text) {
			assertThatIllegalArgumentException().isThrownBy(() -> new MarkdownPage("page.md", text))
				.withMessageContaining("page.md:");
		}

	}

	@Nested
	class Dispatch {

		private final SampleCheckers checkers = new SampleCheckers(new JsonSamples("http://127.0.0.1/mcp"));

		@ParameterizedTest
		@ValueSource(strings = { "", "text", "python" })
		void languageWithoutCheckerIsReported(String language) {
			assertThat(this.checkers.check(sample(language, "x"))).singleElement()
				.asString()
				.contains("no checker for samples in '" + language + "'");
		}

		@Test
		void sampleIsOptedOutOnlyWithReason() {
			assertThat(this.checkers.check(new Sample("page.md", 1, "text", "unchecked because it is a drawing", "x")))
				.isEmpty();
			assertThat(this.checkers.check(new Sample("page.md", 1, "json", "unchecked", "x"))).singleElement()
				.asString()
				.contains("unknown directive");
		}

	}

	@Nested
	class Java {

		@Test
		void mistakesInJavaAreReported(@TempDir Path directory) throws IOException {
			Map<String, String> mistakes = Map.of("new NoSuchTool();", "line 2: cannot find symbol",
					"ToolCall call = new ToolCall(1);", "line 2: constructor ToolCall", "workspace.root();",
					"line 2: cannot find symbol", "class Tool implements AgentTool { }", "Tool is not abstract",
					"@Bean WorkspaceProvider provider() { return 1; }", "line 2: incompatible types", "this is no Java",
					"neither types nor statements", "import java.util.List;\n\nMap.of();",
					"line 4: cannot find symbol");
			Map<Sample, String> expected = new LinkedHashMap<>();
			mistakes.forEach((text, problem) -> expected
				.put(new Sample("page" + expected.size() + ".md", 1, "java", "", text + "\n"), problem));
			try (JavaSamples java = compile(directory, expected.keySet().stream().map(List::of).toList())) {
				expected.forEach((sample, problem) -> assertThat(java.check(sample)).as(sample.text())
					.first()
					.asString()
					.contains(problem));
			}
		}

		@Test
		void javaFragmentsAreCompiledAndRun(@TempDir Path directory) throws IOException {
			List<Sample> good = List.of(new Sample("page.md", 1, "java", "", "class Tool { ToolCatalog catalog; }\n"),
					new Sample("page.md", 11, "java", "", "@Bean\nString name() { return \"x\"; }\n"),
					new Sample("page.md", 21, "java", "runs", "List<Path> paths = List.of();\npaths.size();\n"),
					new Sample("page.md", 31, "java", "continues; runs", "assertThat(paths).isEmpty();\n"),
					new Sample("page.md", 41, "java", "given Workspace workspace", "workspace.root().getParent();\n"));
			Sample failing = new Sample("page.md", 51, "java", "runs", "assertThat(List.of()).isNotEmpty();\n");
			List<Sample> all = new ArrayList<>(good);
			all.add(failing);
			try (JavaSamples java = compile(directory, List.of(all))) {
				assertThat(good).allSatisfy((sample) -> assertThat(java.check(sample)).isEmpty());
				assertThat(java.check(failing)).singleElement().asString().startsWith("fails: ");
			}
		}

		private JavaSamples compile(Path directory, List<List<Sample>> pages) {
			return new JavaSamples(pages, SampleCheckersTests.this.repository, directory);
		}

	}

	@Nested
	class Configuration {

		@ParameterizedTest
		@CsvSource(delimiter = '|',
				value = { "kairo.workspace.rots: x       | there is no property kairo.workspace.rots",
						"kairo.no-such: x              | there is no property kairo.no-such",
						"kairo.sandbox.type: dcoker    | the application does not start",
						"kairo.tools.session-timeout: long | the application does not start",
						"kairo.workspace.roots: /no/such/directory | the application does not start",
						"'kairo.tenancy.limits: { acme: { cals: 1 } }' | the application does not start",
						"'kairo: ['                    | cannot be read",
						"'# nothing'                    | sets no property" })
		void mistakeInConfigurationIsReported(String yaml, String problem, @TempDir Path directory) {
			assertThat(new ConfigurationSamples(directory).check(sample("yaml", yaml + "\n"))).singleElement()
				.asString()
				.contains(problem);
		}

		@Test
		void propertiesFormatIsChecked(@TempDir Path directory) {
			ConfigurationSamples checker = new ConfigurationSamples(directory);
			assertThat(checker.check(sample("properties", "kairo.workspace.roots=/srv/agents\n"))).isEmpty();
			assertThat(checker.check(sample("properties", "kairo.workspace.root=/srv/agents\n"))).isNotEmpty();
		}

	}

	@Nested
	class Dependencies {

		@ParameterizedTest
		@ValueSource(strings = { "<dependency>", "<project/>",
				"<dependency><groupId>io.kairo</groupId><artifactId>kairo-starter</artifactId></dependency>",
				"<dependency><groupId>io.kairo</groupId><artifactId>kairo-sample-app</artifactId></dependency>",
				"<dependency><groupId>io.kairo</groupId><artifactId>kairo-workspace-git</artifactId><version>1</version></dependency>",
				"<dependency><groupId>io.kairo</groupId><artifactId>kairo-bom</artifactId></dependency>",
				"<dependency><groupId>io.kairo</groupId><artifactId>kairo-bom</artifactId><version>1</version><type>pom</type><scope>import</scope></dependency>",
				"<dependency><groupId>com.kairo</groupId><artifactId>kairo-workspace-git</artifactId></dependency>" })
		void mistakeInDependencyIsReported(String xml) {
			assertThat(new DependencySamples(SampleCheckersTests.this.repository).check(sample("xml", xml))).hasSize(1);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "implementation(\"io.kairo:kairo-starter\")",
				"implementation(\"io.kairo:kairo-workspace-git:1\")",
				"implementation(\"com.kairo:kairo-workspace-git\")",
				"implementation(platform(\"io.kairo:kairo-bom:1\"))" })
		void mistakeInGradleIsReported(String script) {
			assertThat(new DependencySamples(SampleCheckersTests.this.repository).check(sample("kotlin", script)))
				.hasSize(1);
		}

	}

	@Nested
	class Commands {

		@ParameterizedTest
		@CsvSource(delimiter = '|', value = { "mvn -pl no-such-module verify | no-such-module/pom.xml",
				"mvn verfy                     | unknown option or goal",
				"mvn test -Dtest=NoSuchTests    | NoSuchTests", "mvn verify -Dkairo.no.such=1  | kairo.no.such",
				"mvn -Pno-such verify          | no-such", "mvn -f no/such verify         | no/such/pom.xml",
				"bash .ci/go                   | .ci/go", "gradle deploy | build", "curl localhost | unknown command" })
		void mistakeInCommandIsReported(String command, String problem) {
			assertThat(new CommandSamples(SampleCheckersTests.this.repository).check(sample("shell", command + "\n")))
				.singleElement()
				.asString()
				.contains(problem);
		}

		@Test
		void commandCanContinueOnNextLine() {
			assertThat(new CommandSamples(SampleCheckersTests.this.repository)
				.check(sample("shell", "mvn -pl workspace-spi -am \\\n    verify\n"))).isEmpty();
		}

	}

	@Nested
	class Json {

		@ParameterizedTest
		@ValueSource(strings = { "{", "{}", "{\"servers\": {}}",
				"{\"mcpServers\": {\"kairo\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:1/mcp\"}}}",
				"{\"mcpServers\": {\"kairo\": {\"type\": \"stdio\", \"url\": \"x\"}}}",
				"{\"mcpServers\": {\"kairo\": {\"type\": \"sse\", \"url\": \"http://127.0.0.1:8080/mcp\"}}}",
				"{\"mcpServers\": {\"kairo\": {\"type\": \"http\", \"uri\": \"x\", \"url\": \"http://127.0.0.1:8080/mcp\"}}}" })
		void mistakeInJsonIsReported(String json) {
			assertThat(new JsonSamples("http://127.0.0.1:8080/mcp").check(sample("json", json))).hasSize(1);
		}

	}

}

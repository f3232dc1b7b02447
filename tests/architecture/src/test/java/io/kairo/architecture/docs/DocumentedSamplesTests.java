package io.kairo.architecture.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kairo.architecture.Repository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that compile, load or run every code sample of the documentation.
 */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class DocumentedSamplesTests {

	private static final String README = "README.md";

	private static final Pattern NAME = Pattern.compile("^kairo\\.[a-z0-9.-]*[a-z0-9]");

	private final Repository repository = Repository.find();

	private final List<MarkdownPage> pages = MarkdownPage.all(this.repository);

	private JavaSamples java;

	private ConfigurationSamples configuration;

	private CommandSamples commands;

	private SampleCheckers checkers;

	@BeforeAll
	void compile(@TempDir Path directory) throws IOException {
		this.java = new JavaSamples(this.pages.stream().map(MarkdownPage::samples).toList(), this.repository,
				Files.createDirectory(directory.resolve("classes")));
		this.configuration = new ConfigurationSamples(Files.createDirectory(directory.resolve("files")));
		this.commands = new CommandSamples(this.repository);
		this.checkers = new SampleCheckers(this.java, this.configuration, this.commands,
				new DependencySamples(this.repository), new JsonSamples(endpoint()));
	}

	@AfterAll
	void close() throws IOException {
		this.java.close();
	}

	@ParameterizedTest
	@MethodSource("samples")
	void sampleIsValid(Sample sample) {
		assertThat(this.checkers.check(sample)).isEmpty();
	}

	@Test
	void samplesOfEveryLanguageAreFound() {
		assertThat(samples().map(Sample::language)).contains("java", "yaml", "xml", "shell", "json");
	}

	@Test
	void mavenCommandsInTextAreValid() {
		List<String> inText = this.pages.stream()
			.flatMap(MarkdownPage::inlineCode)
			.filter((code) -> code.startsWith("mvn "))
			.toList();
		assertThat(inText).isNotEmpty()
			.allSatisfy((command) -> assertThat(this.commands.checkCommand(command)).isEmpty());
	}

	@Test
	void namesInTextArePropertiesOrOccurInCode() {
		List<String> code = this.repository.files((path) -> path.toString().matches(".*src.main.*\\.java"))
			.stream()
			.map((path) -> this.repository.read(path.toString()))
			.toList();
		List<String> names = this.pages.stream()
			.flatMap(MarkdownPage::inlineCode)
			.flatMap((text) -> NAME.matcher(text).results())
			// Micrometer adds the suffix to the name of a meter
			.map((match) -> match.group().replaceFirst("\\.active$", ""))
			.distinct()
			.toList();
		assertThat(names).contains("kairo.workspace.roots", "kairo.tool.calls");
		assertThat(names.stream()
			.filter((name) -> !this.configuration.isPrefix(name))
			.filter((name) -> code.stream().noneMatch((source) -> source.contains("\"" + name + "\"")))).isEmpty();
	}

	@Test
	void readmeExamplePrintsOutputOfItsCommands(CapturedOutput output) throws Exception {
		Class<?> example = this.java.type(sample(README, "java"));
		this.configuration.runner(ConfigurationSamples.properties(sample(README, "yaml")))
			.withPropertyValues("kairo.sandbox.type=auto")
			.withUserConfiguration(example)
			.run((context) -> context.getBean(CommandLineRunner.class).run());
		assertThat(output.getOut().lines()).contains("hello.txt", "     1\tHello, agent");
	}

	private Sample sample(String page, String language) {
		return samples().filter((sample) -> sample.page().equals(page) && sample.language().equals(language))
			.findFirst()
			.orElseThrow();
	}

	private Stream<Sample> samples() {
		return this.pages.stream().flatMap((page) -> page.samples().stream());
	}

	/**
	 * Returns the URL of the MCP endpoint of the sample application, with the default
	 * path unless one is configured.
	 */
	private String endpoint() throws IOException {
		Sample application = new Sample("application.yml", 1, "yaml", "",
				this.repository.read("sample-app/src/main/resources/application.yml"));
		Map<String, String> properties = ConfigurationSamples.properties(application);
		return "http://" + properties.get("server.address") + ":" + properties.get("server.port")
				+ properties.getOrDefault("kairo.mcp.path", "/mcp");
	}

}

package demo;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that are copied from the documentation.
 */
@ExtendWith(OutputCaptureExtension.class)
class DocumentationTests {

	private static final Pattern ELEMENT = Pattern
		.compile("<dependencyManagement>.*</dependencyManagement>|<dependency>.*?</dependency>");

	private static final String IMPORTS = """
			package demo.copied;

			import java.util.*;
			import com.fasterxml.jackson.annotation.*;
			import io.kairo.api.tenant.*;
			import io.kairo.api.workspace.*;
			import io.kairo.tools.*;
			import io.kairo.tools.edit.*;
			import io.kairo.workspace.memory.*;
			import org.springframework.boot.*;
			import org.springframework.boot.autoconfigure.*;
			import org.springframework.context.annotation.*;
			import org.springframework.stereotype.*;
			import static java.nio.charset.StandardCharsets.UTF_8;
			import static org.assertj.core.api.Assertions.assertThat;

			""";

	private static final String APPLICATION = "@SpringBootApplication\npublic class App {\n";

	@TempDir
	Path directory;

	private Path root;

	@BeforeEach
	void createRoot() throws IOException {
		this.root = Files.createDirectory(this.directory.resolve("root"));
	}

	@Test
	void dependenciesOfReadmeAreThoseOfThisProject() throws Exception {
		String pom = Files.readString(Path.of("pom.xml")).replaceAll("\\s", "");
		String readme = Page.of("README.md").samples("xml", "<dependency>").get(0).replaceAll("\\s", "");
		assertThat(ELEMENT.matcher(readme).results().map(MatchResult::group)).hasSize(2)
			.allSatisfy((element) -> assertThat(pom).contains(element));
	}

	@Test
	void readmeExampleWorks(CapturedOutput output) throws Exception {
		Page readme = Page.of("README.md");
		Path configuration = Files.writeString(this.directory.resolve("application.yml"),
				readme.samples("yaml", "kairo:").get(0));
		String sample = readme.samples("java", "CommandLineRunner").get(0);
		int body = sample.indexOf("@Bean");
		String source = "package demo.copied;\n" + sample.substring(0, body)
				+ "import org.springframework.boot.autoconfigure.SpringBootApplication;\n" + APPLICATION
				+ sample.substring(body) + "}\n";
		try (URLClassLoader loader = Page.compile(this.directory, "demo.copied.App", source);
				ConfigurableApplicationContext context = start(loader, "demo.copied.App",
						"--spring.config.location=" + configuration)) {
			assertThat(output.getOut().lines()).contains("hello.txt", "     1\tHello, agent");
		}
	}

	@Test
	void toolOfTheDocumentationWorks() throws Exception {
		String source = IMPORTS + APPLICATION + "}\n"
				+ Page.of("docs/tools.md").samples("java", "extends RecordTool").get(0);
		Files.writeString(this.root.resolve("note.txt"), "one two\nthree\n");
		try (URLClassLoader loader = Page.compile(this.directory, "demo.copied.App", source);
				ConfigurableApplicationContext context = start(loader, "demo.copied.App",
						"--kairo.workspace.roots=" + this.root)) {
			assertThat(call(context, "WordCount", Map.of("path", "note.txt"))).contains("3 words");
			assertThat(call(context, "WordCount", Map.of("file_path", "none"))).contains("none");
			assertThat(call(context, "WordCount", Map.of())).contains("'file_path' is missing");
		}
	}

	@Test
	void samplesForTestsInMemoryWork() throws Exception {
		StringBuilder source = new StringBuilder(IMPORTS + "public class Samples {\n");
		int number = 0;
		for (String sample : Page.of("docs/workspaces-memory.md").samples("java", "InMemoryWorkspaceFiles")) {
			source.append("public void sample" + number++ + "() throws Exception {\n" + sample + "}\n");
		}
		try (URLClassLoader loader = Page.compile(this.directory, "demo.copied.Samples", source + "}\n")) {
			Class<?> type = loader.loadClass("demo.copied.Samples");
			assertThat(type.getDeclaredMethods()).hasSizeGreaterThan(1);
			for (Method method : type.getDeclaredMethods()) {
				method.invoke(type.getConstructor().newInstance());
			}
		}
	}

	@Test
	void sandboxOfTheDocumentationJoinsAnApplication() throws Exception {
		Page page = Page.of("docs/writing-a-sandbox.md");
		Path classes = Files.createDirectory(this.directory.resolve("nice"));
		Page.compile(classes, "com.example.nice.NiceSandbox", page.samples("java", "class NiceSandbox extends").get(0))
			.close();
		String driver = page.samples("java", "class NiceAutoConfiguration").get(0);
		try (URLClassLoader module = Page.compile(classes, "com.example.nice.NiceAutoConfiguration", driver, classes)) {
			Path imports = classes
				.resolve("META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports");
			Files.createDirectories(imports.getParent());
			Files.writeString(imports, "com.example.nice.NiceAutoConfiguration\n");
			assertNice(module, "--kairo.sandbox.type=nice", "demo");
			assertNice(module, "--kairo.sandbox.auto-order=nice,process", "demo");
			assertNice(module, "--kairo.sandbox.tenants.acme.type=nice", "acme");
		}
	}

	private void assertNice(ClassLoader module, String argument, String tenant) throws IOException {
		Files.createDirectories(this.root.resolve(tenant));
		try (ConfigurableApplicationContext context = builder(module).sources(Empty.class)
			.run(arguments("--kairo.workspace.roots=" + this.root + "/{tenant}", argument))) {
			assertThat(call(context, new TenantContext(tenant, "agent"), "Bash", Map.of("command", "nice")))
				.isEqualTo("19");
		}
	}

	private ConfigurableApplicationContext start(ClassLoader loader, String type, String argument)
			throws ClassNotFoundException {
		return builder(loader).sources(loader.loadClass(type)).run(arguments(argument));
	}

	private static SpringApplicationBuilder builder(ClassLoader loader) {
		return new SpringApplicationBuilder().resourceLoader(new DefaultResourceLoader(loader));
	}

	private String[] arguments(String... arguments) {
		return Stream.concat(Stream.of(arguments), Stream.of("--kairo.state-dir=" + this.directory.resolve("state")))
			.toArray(String[]::new);
	}

	private static String call(ConfigurableApplicationContext context, String tool, Map<String, Object> arguments) {
		return call(context, TenantContext.SINGLE, tool, arguments);
	}

	private static String call(ConfigurableApplicationContext context, TenantContext tenant, String tool,
			Map<String, Object> arguments) {
		return context.getBean(AgentSessions.class)
			.callInSession(tenant, "demo",
					(ToolContext tools) -> context.getBean(ToolCatalog.class).call(tool, arguments, tools).text());
	}

	@SpringBootApplication
	static class Empty {

	}

}

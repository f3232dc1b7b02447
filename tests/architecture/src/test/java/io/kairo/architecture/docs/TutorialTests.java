package io.kairo.architecture.docs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.architecture.Repository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the application and the test of the tutorial.
 */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class TutorialTests {

	private static final String PAGE = "docs/tutorial.md";

	private final Repository repository = Repository.find();

	private final List<Sample> samples = new MarkdownPage(PAGE, this.repository.read(PAGE)).samples();

	private JavaSamples java;

	private Path broken;

	@BeforeAll
	void compile(@TempDir Path directory) {
		this.java = new JavaSamples(List.of(this.samples), this.repository, directory);
	}

	@BeforeEach
	void follow(@TempDir Path directory) throws IOException {
		this.broken = Files.createDirectory(directory.resolve("broken"));
		for (Map.Entry<String, String> file : Map
			.of("Adder.java", "class Adder", "AdderTest.java", "class AdderTest", "test.sh", "javac ")
			.entrySet()) {
			Files.writeString(this.broken.resolve(file.getKey()), sample(file.getValue()).text());
		}
	}

	@AfterAll
	void close() throws IOException {
		this.java.close();
	}

	@Test
	void applicationRepairsCode(CapturedOutput output) throws Exception {
		Class<?> application = this.java.type(sample("class RepairApplication"));
		String root = ConfigurationSamples.properties(sample("roots:")).get("kairo.workspace.roots[0]");
		assertThat(root).isEqualTo(this.broken.getFileName().toString());
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
			.resourceLoader(new DefaultResourceLoader(application.getClassLoader()))
			.web(WebApplicationType.NONE)
			.run("--kairo.workspace.roots=" + this.broken, "--kairo.sandbox.type=process",
					"--kairo.state-dir=" + this.broken.resolveSibling("state"))) {
			assertThat(output.getOut().lines()).contains("Adder subtracted; it adds now.");
			List<?> texts = (List<?>) context.getBean("model")
				.getClass()
				.getMethod("toolTexts")
				.invoke(context.getBean("model"));
			assertThat(texts).hasSize(4);
			assertThat(texts.get(0).toString()).contains("2 + 3 is -1");
			assertThat(texts.get(3).toString()).contains("OK");
		}
		assertThat(this.broken.resolve("Adder.java")).content().contains("return left + right;");
	}

	@Test
	void testOfTheTutorialSucceeds() throws Exception {
		Class<?> type = this.java.type(sample("class RepairerTests"));
		Method method = type.getMethod("repairsCodeAndRunsTheTestAgain");
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(type.getClassLoader());
		try {
			TestContextManager manager = new TestContextManager(type);
			Object test = type.getConstructor().newInstance();
			manager.prepareTestInstance(test);
			manager.beforeTestMethod(test, method);
			method.invoke(test);
			manager.afterTestMethod(test, method, null);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private Sample sample(String text) {
		return this.samples.stream().filter((sample) -> sample.text().contains(text)).findFirst().orElseThrow();
	}

}

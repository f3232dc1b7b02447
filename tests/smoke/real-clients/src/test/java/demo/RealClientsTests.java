package demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the models of real clients see the whole answers of the tools: the lines of
 * files, the output and the exit code of commands, and images.
 */
class RealClientsTests {

	private static NpmClients clients;

	@TempDir
	private Path directory;

	@BeforeAll
	static void install() throws Exception {
		clients = NpmClients.install();
	}

	@ParameterizedTest
	@CsvSource({ "CLAUDE_CODE, data", "CLAUDE_CODE, all", "CODEX, data", "CODEX, all", "OPENCODE, data", "GEMINI, data" })
	void modelSeesWholeAnswers(Client client, String structuredContent) throws Exception {
		Path work = Files.createDirectories(this.directory.resolve("work"));
		Files.writeString(work.resolve("notes.txt"), "first line\nsecond line\n");
		Files.write(work.resolve("image.png"), Base64.getDecoder().decode(Step.IMAGE));
		// clients that show structured content show nothing beside it
		List<Step> script = structuredContent.equals("data") ? Step.SCRIPT
				: Step.SCRIPT.subList(0, Step.SCRIPT.size() - 1);
		try (ConfigurableApplicationContext server = SpringApplication.run(ToolServer.class,
				"--demo.directory=" + this.directory, "--kairo.mcp.structured-content=" + structuredContent);
				ScriptedModel model = new ScriptedModel(client.protocol(), script)) {
			String port = server.getEnvironment().getRequiredProperty("local.server.port");
			String log = clients.run(client, Files.createDirectory(this.directory.resolve("home")), model.url(),
					"http://127.0.0.1:" + port + "/mcp");
			List<String> answers = new ArrayList<>(model.answers());
			assertThat(answers).as(log).hasSameSizeAs(script);
			for (int i = 0; i < answers.size(); i++) {
				assertThat(answers.get(i)).as("answer to %s, as %s shows it", script.get(i), client)
					.contains(script.get(i).expected());
			}
		}
		assertThat(work.resolve("notes.txt")).hasContent("first line\n2nd line\n");
		assertThat(work.resolve("kept.txt")).hasContent("kept");
		assertThat(work.resolve("tried.txt")).doesNotExist();
	}

}

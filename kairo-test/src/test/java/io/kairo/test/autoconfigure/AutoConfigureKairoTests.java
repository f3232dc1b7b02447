package io.kairo.test.autoconfigure;

import java.util.Map;

import io.kairo.test.FakeAnswer;
import io.kairo.test.FakeSandbox;
import io.kairo.test.RecordedCalls;
import io.kairo.test.TestWorkspaces;
import io.kairo.test.springai.ScriptedChatModel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.env.Environment;

import static io.kairo.test.KairoAssertions.assertThat;
import static io.kairo.test.KairoAssertions.assertThatIllegalStateException;

/**
 * Tests for {@link AutoConfigureKairo} with the whole application and with a slice.
 */
class AutoConfigureKairoTests {

	/**
	 * The same for both.
	 */
	abstract static class Scenarios {

		@Autowired
		private Repairer agent;

		@Autowired
		private TestWorkspaces workspaces;

		@Autowired
		private FakeSandbox sandbox;

		@Autowired
		private RecordedCalls calls;

		@Autowired
		private ScriptedChatModel model;

		@Autowired
		private Environment environment;

		@BeforeEach
		void seed() {
			assertThat(this.workspaces).hasOnlyFiles();
			assertThat(this.calls.all()).isEmpty();
			assertThat(this.model.prompts()).isEmpty();
			this.workspaces.seed("Adder.java", "return a - b;\n");
		}

		@Test
		void agentWorksOnFakes() {
			this.sandbox.answer("mvn test", FakeAnswer.ok("BUILD SUCCESS\n"));
			this.model.calls("Read", Map.of("file_path", "Adder.java"))
				.calls("Edit", Map.of("file_path", "Adder.java", "old_string", "-", "new_string", "+"))
				.calls("Bash", Map.of("command", "mvn test"))
				.says("repaired");
			assertThat(this.agent.repair()).isEqualTo("repaired");
			assertThat(this.workspaces).hasFile("Adder.java", "return a + b;\n");
			assertThat(this.calls).areExactly("Read", "Edit", "Bash").allSucceeded();
			assertThat(this.calls.all()).allSatisfy((call) -> assertThat(call.sessionId()).isEqualTo("repair"));
			assertThat(this.sandbox).ranExactly("mvn test").answeredEverything();
			assertThat(this.model.toolTexts()).hasSize(3).last().asString().contains("BUILD SUCCESS");
			assertThat(this.model.remaining()).isZero();
		}

		@Test
		void sessionOfOtherTestHasEnded() {
			this.model.calls("Edit", Map.of("file_path", "Adder.java", "old_string", "-", "new_string", "+"))
				.says("done");
			this.agent.repair();
			assertThat(this.calls).areExactly("Edit");
			this.model.calls("Write", Map.of("file_path", "Adder.java", "content", "")).says("done");
		}

		@Test
		void endOfScriptFailsThePrompt() {
			this.model.calls("Read", Map.of("file_path", "missing"));
			assertThatIllegalStateException().isThrownBy(this.agent::repair)
				.withMessageContaining("The script of the chat model has ended")
				.withMessageContaining("file_not_found");
		}

		@Test
		void stateIsKeptInTemporaryDirectory() {
			assertThat(this.environment.getProperty("kairo.state-dir"))
				.startsWith(System.getProperty("java.io.tmpdir"));
		}

	}

	@Nested
	@AutoConfigureKairo
	@SpringBootTest(classes = Repairer.Application.class, properties = { "kairo.workspace.roots=/srv/agents/{tenant}",
			"kairo.sandbox.type=docker", "kairo.sandbox.require-isolation=true" })
	class WholeApplication extends Scenarios {

	}

	@Nested
	@AutoConfigureKairo
	@SpringBootTest(classes = Repairer.Application.class)
	@OverrideAutoConfiguration(enabled = false)
	class Slice extends Scenarios {

	}

}

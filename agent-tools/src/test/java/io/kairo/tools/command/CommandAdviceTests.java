package io.kairo.tools.command;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandAdvice}.
 */
class CommandAdviceTests {

	@ParameterizedTest
	@ValueSource(strings = { "export A=1", "cd x && source venv/bin/activate", ". ./env.sh\n", "A=1",
			"alias ll='ls -l'", "conda activate base", "export A=1; echo $A",
			"source venv/bin/activate && which python", "python -m venv v\nsource v/bin/activate;" })
	void changeOfShellAtTheEndIsRecognized(String command) {
		assertThat(CommandAdvice.endsWithChangeOfShell(command)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "export A=1; make", "source venv/bin/activate && pytest", "A=1 make", "export", "./run.sh",
			"echo export A=1", "", ";", "env | sort", "cat < source", "exporter x" })
	void otherCommandsAreNotRecognizedAsChangeOfShell(String command) {
		assertThat(CommandAdvice.endsWithChangeOfShell(command)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "cd x", "ls; cd x", "a && pushd x", "(cd x)", "a\n\tcd x" })
	void changeOfDirectoryIsRecognized(String command) {
		assertThat(CommandAdvice.changesDirectory(command)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ls cdx", "abcd x", "./cd x", "echo a-cd" })
	void otherCommandsAreNotRecognizedAsChangeOfDirectory(String command) {
		assertThat(CommandAdvice.changesDirectory(command)).isFalse();
	}

}

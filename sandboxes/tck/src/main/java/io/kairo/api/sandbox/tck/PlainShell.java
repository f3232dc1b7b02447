package io.kairo.api.sandbox.tck;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs commands without a sandbox, to verify the effect of attacks.
 * 
 * @param directory the working directory
 * @param env variables added to the environment
 */
record PlainShell(Path directory, Map<String, String> env) {

	String run(String command) throws IOException, InterruptedException {
		File output = File.createTempFile("plain-", null);
		try {
			ProcessBuilder builder = builder(command).redirectOutput(output);
			Process process = builder.start();
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the end of %s", command).isTrue();
			return new String(Files.readAllBytes(output.toPath()), StandardCharsets.UTF_8);
		}
		finally {
			assertThat(output.delete()).isTrue();
		}
	}

	/**
	 * Starts a command. Its output is read from the process.
	 */
	Process start(String command) throws IOException {
		return builder(command).start();
	}

	private ProcessBuilder builder(String command) {
		ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectInput(new File("/dev/null"));
		builder.environment().putAll(this.env);
		return builder;
	}

}

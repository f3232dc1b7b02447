package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An image on the image of the other tests.
 *
 * @param name the name of the image
 */
record TestImage(String name) implements AutoCloseable {

	/**
	 * Builds an image.
	 * @param lines the lines of its Dockerfile after the first one
	 */
	static TestImage of(String name, String... lines) throws IOException {
		run("FROM " + TestContainers.IMAGE + "\n" + String.join("\n", lines) + "\n", "build", "-q", "--network", "none",
				"-t", name, "-");
		return new TestImage(name);
	}

	/**
	 * Returns a sandbox with the image.
	 */
	DockerSandbox sandbox() {
		return new DockerSandbox(TestContainers.options(this.name));
	}

	@Override
	public void close() throws IOException {
		// succeeds if it is gone
		run("", "image", "rm", "-f", this.name);
	}

	private static void run(String input, String... arguments) throws IOException {
		ProcessBuilder builder = new ProcessBuilder("docker");
		builder.command().addAll(List.of(arguments));
		// the builder of the engine, which needs no plug-in of the command
		builder.environment().put("DOCKER_BUILDKIT", "0");
		Process process = builder.redirectErrorStream(true).start();
		try (var out = process.getOutputStream()) {
			out.write(input.getBytes(StandardCharsets.UTF_8));
		}
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		try {
			if (process.waitFor() != 0) {
				throw new IOException(output);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

}

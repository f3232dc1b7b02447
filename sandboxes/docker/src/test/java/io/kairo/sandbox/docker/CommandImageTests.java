package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds the image for commands of {@code src/main/docker}, on the image of the other
 * tests and without the packages that are installed from a mirror, and runs a command in
 * it.
 */
@RequiresDocker
@Timeout(120)
class CommandImageTests {

	private static final String IMAGE = "kairo-command-image:test";

	@TempDir
	private Path workspace;

	@BeforeAll
	static void build() throws Exception {
		docker("build", "-q", "--network", "none", "--build-arg", "BASE=" + TestContainers.IMAGE, "--build-arg",
				"PACKAGES=", "-t", IMAGE, "src/main/docker");
	}

	@AfterAll
	static void remove() throws Exception {
		docker("image", "rm", IMAGE);
	}

	@Test
	void commandRunsInImage() throws Exception {
		DockerOptions options = DockerOptions.of(IMAGE);
		try (DockerSandbox sandbox = new DockerSandbox(TestContainers.isRoot()
				? options.with((changes) -> changes.commands((commands) -> commands.runAs(TestContainers.NOBODY)))
				: options)) {
			assertThat(sandbox.problem()).isNull();
			ExecutionSandbox accessible = TestContainers.isRoot()
					? new AccessGrantingSandbox(sandbox, TestContainers.NOBODY.uid()) : sandbox;
			String command = "echo $HOME $LANG; getent passwd 1000; git init -q repository && ls -A";
			try (SandboxHandle handle = accessible
				.start(new SandboxRequest.Builder(command, this.workspace.toRealPath()).build())) {
				assertThat(text(handle).lines()).containsExactly("/home/agent C.UTF-8",
						"agent:x:1000:1000:agent:/home/agent:/bin/sh", "repository");
			}
		}
	}

	@Test
	void imageStartsAsOrdinaryUser() throws Exception {
		assertThat(docker("run", "--rm", "--network", "none", IMAGE, "id", "-un")).isEqualTo("agent\n");
	}

	private static String text(SandboxHandle handle) {
		StringBuilder text = new StringBuilder();
		handle.output().toIterable().forEach((chunk) -> text.append(new String(chunk.data(), StandardCharsets.UTF_8)));
		return text.toString();
	}

	private static String docker(String... arguments) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder("docker");
		builder.command().addAll(List.of(arguments));
		// the builder of the engine, which needs no plug-in of the command
		builder.environment().put("DOCKER_BUILDKIT", "0");
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(errors).isZero();
		return output;
	}

}

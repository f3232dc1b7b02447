package io.kairo.sandbox.docker;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;

/**
 * A program that runs in a container, and a command in another one beside it. It prints
 * the problem of the sandbox, the output of the command and its exit code.
 */
final class SiblingProgram {

	private SiblingProgram() {
	}

	/**
	 * Runs the program.
	 * @param args the address of the engine, the user of commands, the directory for the
	 * files of the sandbox, the workspace, the command, and how the command gets the
	 * workspace
	 */
	public static void main(String[] args) throws IOException {
		DockerOptions options = DockerOptions.of(TestContainers.IMAGE)
			.with((changes) -> changes.host(URI.create(args[0]))
				.workspaces(DockerOptions.Workspaces.valueOf(args[5]))
				.maxCopyBytes(DockerOptions.DEFAULT_MAX_COPY_BYTES)
				.commands((commands) -> commands.runAs(HostUser.parse(args[1])).directory(Path.of(args[2]))));
		Path workspace = Files.createDirectories(Path.of(args[3]));
		try (DockerSandbox sandbox = new DockerSandbox(options)) {
			System.out.println("problem " + sandbox.problem());
			SandboxRequest request = new SandboxRequest.Builder(args[4], workspace)
				.attributes(SandboxAttributes.builder().protectedPaths(List.of("missing")).build())
				.build();
			try (SandboxHandle handle = sandbox.start(request)) {
				handle.output().toIterable().forEach((chunk) -> System.out.print(text(chunk)));
				System.out
					.println("exit " + Objects.requireNonNull(handle.exit().block(Duration.ofSeconds(30))).exitCode());
			}
			catch (SandboxException ex) {
				System.out.println(ex.code() + " " + ex.getMessage());
			}
		}
	}

	private static String text(SandboxOutputChunk chunk) {
		return new String(chunk.data(), StandardCharsets.UTF_8);
	}

}

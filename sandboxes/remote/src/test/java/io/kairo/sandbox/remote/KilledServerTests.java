package io.kairo.sandbox.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.server.CopyOptions;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what a server whose JVM is killed leaves to the next one.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class KilledServerTests {

	@TempDir
	Path directory;

	@Test
	void nextServerRemovesTheCopies() throws Exception {
		Path copies = Files.createDirectory(this.directory.resolve("copies"));
		Path workspace = Files.createDirectory(this.directory.resolve("workspace"));
		Files.writeString(workspace.resolve("file"), "content");
		Process jvm = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				StayingServer.class.getName(), copies.toString(), workspace.toString())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		List<ProcessHandle> commands = List.of();
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			commands = jvm.descendants().toList();
		}
		finally {
			jvm.destroyForcibly().waitFor();
			commands.forEach(ProcessHandle::destroyForcibly);
		}
		assertThat(contents(copies)).anyMatch((path) -> path.endsWith("file"));
		Path left = contents(copies).get(1);
		SandboxServerOptions options = SandboxServerOptions
			.of(new RemoteClient("tests", RemotePair.TOKEN, Set.of(), List.of("/srv/none")))
			.withCopies(new CopyOptions(copies, 1 << 20, null));
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox();
				SandboxServer next = new SandboxServer(sandbox, options)) {
			assertThat(next.address()).isNotNull();
			assertThat(left).doesNotExist();
			assertThat(contents(copies)).noneMatch((path) -> path.endsWith("file"));
		}
		assertThat(copies).isEmptyDirectory();
	}

	private static List<Path> contents(Path directory) throws IOException {
		try (Stream<Path> all = Files.walk(directory)) {
			return all.toList();
		}
	}

}

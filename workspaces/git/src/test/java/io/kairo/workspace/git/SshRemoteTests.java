package io.kairo.workspace.git;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for remotes over ssh, accessed by the program {@code git} in a separate process
 * with the keys and known hosts of the test. No program may prompt.
 */
@ExtendWith(GitProgram.class)
@Timeout(180)
class SshRemoteTests {

	@TempDir
	Path directory;

	private Path base;

	@BeforeEach
	void resolve() throws IOException {
		this.base = this.directory.toRealPath();
	}

	/**
	 * Creates a checkout in a separate process.
	 * @param arguments further arguments of the program
	 * @return the output of the process
	 */
	private String checkOut(Path programs, String url, String... arguments) throws Exception {
		ProcessBuilder builder = GitProcessProgram.command(this.base.resolve("state"), GitClientKind.GIT, "git:" + url);
		builder.command().addAll(List.of(arguments));
		builder.environment().merge("PATH", "", (path, none) -> programs + ":" + path);
		builder.environment().remove("SSH_AUTH_SOCK");
		builder.environment().put("SSH_ASKPASS", "/bin/false");
		builder.environment().put("DISPLAY", ":0");
		Path output = this.base.resolve("output.txt");
		Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
		boolean ended = process.waitFor(2, TimeUnit.MINUTES);
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly();
		String said = Files.readString(output, StandardCharsets.UTF_8);
		assertThat(ended).as(said).isTrue();
		return said;
	}

	private void assertNothingIsLeft() throws IOException {
		assertThat(this.base.resolve("state/checkouts")).isDirectoryNotContaining(Files::isDirectory);
		assertThat(this.base.resolve("state/stores")).isDirectoryNotContaining(Files::isDirectory);
		assertThat(ProcessHandle.allProcesses()
			.filter((process) -> process.info().commandLine().orElse("").contains(this.base + "/"))).isEmpty();
	}

	@Test
	void silentSshServerTimesOutAndItsProcessesEnd() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
			String said = checkOut(Path.of("/usr/bin"),
					"ssh://git@127.0.0.1:" + silent.getLocalPort() + "/srv/shop.git#one", "PT2S");
			assertThat(said).contains("remote_unreachable").contains("did not finish within 2.0 seconds");
		}
		assertThat(this.base.resolve("state/stores")).isDirectoryNotContaining(Files::isDirectory);
	}

	@Nested
	class WithServer {

		private SshServer server;

		private TestRepository repository;

		private String url;

		@BeforeEach
		void serve(RepositoryTemplates templates) throws IOException {
			this.server = new SshServer(SshRemoteTests.this.base.resolve("ssh"));
			this.repository = templates.copyTo(SshRemoteTests.this.base);
			this.url = this.server.url() + this.repository.bare();
		}

		@AfterEach
		void end() {
			if (this.server != null) {
				this.server.close();
			}
		}

		@Test
		void sshRemoteIsCheckedOutAndPushedTo() throws Exception {
			String said = checkOut(this.server.client("user", "host"), this.url + "#one", "PT1M", "agent/ssh");
			assertThat(said).endsWith("branch one\n");
			assertThat(GitProgram.run(this.repository.bare(), "show", "agent/ssh:branch.txt")).isEqualTo("changed");
			assertThat(GitProgram.run(this.repository.bare(), "rev-parse", "agent/ssh~1"))
				.isEqualTo(this.repository.id("one"));
		}

		@Test
		void unknownHostKeyIsRefused() throws Exception {
			assertHostKey(this.server.client("user", ""));
		}

		@Test
		void changedHostKeyIsRefused() throws Exception {
			assertHostKey(this.server.client("user", "stranger"));
		}

		private void assertHostKey(Path client) throws Exception {
			assertThat(checkOut(client, this.url + "#one")).contains("remote_refused").contains("known_hosts");
			assertNothingIsLeft();
		}

		@Test
		void unauthorizedKeyIsRefused() throws Exception {
			assertKey(this.server.client("stranger", "host"));
		}

		@Test
		void keyWithPassphraseIsRefusedWithoutPrompt() throws Exception {
			assertKey(this.server.client("locked", "host"));
		}

		private void assertKey(Path client) throws Exception {
			assertThat(checkOut(client, this.url + "#one")).contains("remote_refused")
				.contains("Permission denied (publickey)")
				.contains("key")
				.doesNotContain(SshRemoteTests.this.base + "/ssh");
			assertNothingIsLeft();
		}

		@Test
		void missingRepositoryAndRefAreReported() throws Exception {
			Path client = this.server.client("user", "host");
			assertThat(checkOut(client, this.url + "-missing#one")).contains("remote_refused")
				.contains("no such repository");
			assertThat(checkOut(client, this.url + "#missing")).contains("ref_not_found");
		}

	}

}

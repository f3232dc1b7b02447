package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that depend on the environment of the process.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class OwnProcessTests extends ClientTests {

	private String run(ProcessBuilder builder) throws Exception {
		Path output = this.base.resolve("output.txt");
		Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
		boolean ended = process.waitFor(2, TimeUnit.MINUTES);
		process.destroyForcibly();
		String said = Files.readString(output, StandardCharsets.UTF_8);
		assertThat(ended && process.exitValue() == 0).as(said).isTrue();
		return said;
	}

	@Test
	void homeDirectoryStaysEmpty() throws Exception {
		Path home = Files.createDirectory(this.base.resolve("home"));
		ProcessBuilder builder = GitProcessProgram.command(state(), this.client, this.repository.hint() + "#one");
		builder.environment().put("HOME", home.toString());
		builder.environment().remove("XDG_CONFIG_HOME");
		builder.environment().remove("XDG_CACHE_HOME");
		builder.command().addAll(1, List.of("-Duser.home=" + home, "-D" + GitProcessProgram.MEASURING + "=true"));
		assertThat(run(builder)).contains("branch one");
		assertThat(home).isEmptyDirectory();
	}

	@Nested
	class Ssh {

		private GitWorkspaceProvider provider() {
			return OwnProcessTests.this.provider(
					options().withAllowedUrls("ssh://")
						.withLimits(new GitLimits(Duration.ofSeconds(30), 1 << 30, 1 << 30, 1 << 20)),
					GitCredentials.NONE);
		}

		/**
		 * Uses an {@code ssh} program that logs its arguments and runs the command on
		 * this machine. Always uses the program {@code git}, as JGit does not support
		 * ssh.
		 */
		@Test
		void sshRunsInBatchModeIgnoringTheEnvironment() throws Exception {
			Path programs = Files.createDirectory(OwnProcessTests.this.base.resolve("programs"));
			Path log = OwnProcessTests.this.base.resolve("ssh.txt");
			Path ssh = Files.writeString(programs.resolve("ssh"), """
					#!/bin/sh
					echo "$@" >> '%s'
					for command; do :; done
					exec sh -c "$command"
					""".formatted(log));
			Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
			ProcessBuilder builder = GitProcessProgram.command(state(), GitClientKind.GIT,
					"git:ssh://git@shop.example:2222" + OwnProcessTests.this.repository.bare() + "#one");
			builder.environment().merge("PATH", "", (path, none) -> programs + ":" + path);
			builder.environment().put("GIT_SSH_COMMAND", "false");
			builder.environment().put("GIT_CONFIG_PARAMETERS", "'core.sshCommand=false'");
			assertThat(run(builder)).contains("branch one");
			assertThat(Files.readAllLines(log)).isNotEmpty()
				.allSatisfy((arguments) -> assertThat(arguments).startsWith("-oBatchMode=yes ")
					.contains("-p 2222 git@shop.example git-upload-pack '" + OwnProcessTests.this.repository.bare()
							+ "'"));
		}

		@Test
		void unreachableSshServerFailsAcquireWithoutPrompt() throws IOException {
			WorkspaceErrorCode expected = (OwnProcessTests.this.client == GitClientKind.GIT)
					? WorkspaceErrorCode.REMOTE_UNREACHABLE : WorkspaceErrorCode.REMOTE_REFUSED;
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> acquire(provider(), "git:ssh://git@127.0.0.1:1/srv/shop.git#one"))
				.satisfies((ex) -> assertThat(ex.code()).as(ex.getMessage()).isEqualTo(expected))
				.satisfies((ex) -> assertThat(ex.getMessage()).containsPattern(".: [a-z]"));
			assertThat(state().resolve("checkouts")).isDirectoryNotContaining(Files::isDirectory);
			assertThat(state().resolve("stores")).isDirectoryNotContaining(Files::isDirectory);
		}

	}

}

package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.mount.MountPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a command does not run if a directory is replaced while it is being mounted,
 * whatever the command brings along. A program in the place of bubblewrap replaces it at
 * the worst time, and then executes bubblewrap.
 */
@RequiresBubblewrap
class BubblewrapSwapTests {

	private static final String ATTACK = "cat /shown/secret; echo x > /shown/written; exit";

	@TempDir
	Path temporary;

	private Path workspace;

	private Path elsewhere;

	private BubblewrapSandbox sandbox;

	@BeforeEach
	void open() throws IOException {
		Path directory = Files.createDirectory(this.temporary.toRealPath().resolve("open"));
		this.workspace = Files.createDirectory(directory.resolve("workspace"));
		this.elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
		Files.writeString(this.elsewhere.resolve("secret"), "secret of another");
		for (Path each : List.of(this.temporary, directory, this.workspace, this.elsewhere)) {
			Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
		}
		Path program = Files.writeString(directory.resolve("bwrap"), """
				#!/bin/sh
				[ ! -f '%1$s/swap' ] || (cd '%1$s' && . ./swap)
				exec bwrap "$@"
				""".formatted(this.workspace));
		Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)));
		assertThat(this.sandbox.problem()).isNull();
	}

	@AfterEach
	void close() {
		this.sandbox.close();
	}

	/**
	 * Asserts that a command which would write to the workspace, and print a secret, is
	 * not run.
	 */
	private void assertNotRun(String swap, Map<String, String> env, List<Mount> mounts) throws IOException {
		Files.writeString(this.workspace.resolve("swap"), "touch swapped; " + swap);
		SandboxRequest request = new SandboxRequest.Builder("touch ran; " + ATTACK, this.workspace).env(env)
			.attributes(SandboxAttributes.builder().mounts(mounts).build())
			.build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> {
			try (SandboxHandle handle = this.sandbox.start(JvmUser.grantAccess(request))) {
				String out = BubblewrapFixture.outcome(handle).toString();
				assertThat(out).as("a command that should not have run").doesNotContain("secret of another");
				assertThat(this.workspace.resolve("ran")).as(out).doesNotExist();
			}
		}).satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
		assertThat(this.workspace.resolve("swapped")).as("a trace of the swap").exists();
		assertThat(this.workspace.resolve("ran")).doesNotExist();
		assertThat(this.elsewhere.resolve("written")).doesNotExist();
	}

	@ParameterizedTest
	@CsvSource({ "OWN, x", "BASH_ENV, hook", "BASH_FUNC_read%%, () { kairo_mounts=; }",
			"BASH_FUNC_echo%%, () { . ./hook; }", "PS4, $(. ./hook >&2)" })
	void environmentDoesNotRunBeforeMountsAreVerified(String name, String value) throws IOException {
		Path own = Files.createDirectory(this.workspace.resolve("own"));
		Path hook = Files.writeString(this.workspace.resolve("hook"), ATTACK);
		assertNotRun("mv own moved; ln -s '" + this.elsewhere + "' own", Map.of(name,
				value.equals("hook") ? hook.toString() : value, name.equals("PS4") ? "SHELLOPTS" : "OTHER", "xtrace"),
				List.of(new Mount(own, "/shown", true)));
	}

	/**
	 * The directory covers the shell, or the mount table, in which it is as planned.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "usr/bin", "proc" })
	void mountDoesNotCoverWhatVerifiesIt(String covered) throws IOException {
		Path target = Files.createDirectory(this.workspace.resolve("target"));
		Path own = Files.createDirectories(this.workspace.resolve("own/self")).getParent();
		Files.copy(Path.of("/bin/echo"), own.resolve("bash"));
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.WRITABLE, this.workspace, this.workspace);
		plan.add(MountPlan.Kind.WRITABLE, own, target);
		plan.add(MountPlan.Kind.PINNED, target, target);
		Files.writeString(own.resolve("self/mountinfo"),
				String.join("", plan.lines().stream().map((line) -> "1 2 " + line + " rw\n").toList()));
		assertNotRun("rmdir target; ln -s '" + this.workspace.relativize(Path.of("/", covered)) + "' target", Map.of(),
				List.of(new Mount(own, target.toString(), true)));
	}

}

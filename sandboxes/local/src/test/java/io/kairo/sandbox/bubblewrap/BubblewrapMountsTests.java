package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.MountPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the directories that a command in a {@link BubblewrapSandbox} sees, and what it
 * can change in them.
 */
@RequiresBubblewrap
class BubblewrapMountsTests {

	@RegisterExtension
	final BubblewrapFixture fixture = new BubblewrapFixture();

	private static UnaryOperator<SandboxAttributes.Builder> protect(String... paths) {
		return (attributes) -> attributes.protectedPaths(List.of(paths));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit", "mkdir .git; echo x > .git/hooks",
			"mv .git g; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit", "rm -rf .git; mkdir -p .git/hooks/x",
			"ln -s /tmp .git; mkdir .git/hooks", "umount .git/hooks; umount -l .git; echo x > .git/hooks",
			"mount -o remount,rw .git/hooks; echo x > .git/hooks", "mv . ../other; echo x > .git/hooks",
			"mkdir g; mv -T g .git; mv g/hooks .git/hooks", "chmod 777 .git/hooks; echo x > .git/hooks" })
	void missingProtectedPathCannotBeCreatedAndLeavesNoPlaceholder(String attack) throws IOException {
		assertThat(this.fixture.runWith(protect(".git/hooks"), attack + "; echo x > own; echo ran").out())
			.endsWith("ran\n");
		assertThat(this.fixture.workspace().resolve("own")).exists();
		assertThat(this.fixture.workspace().resolve(".git/hooks")).doesNotExist();
	}

	@Test
	void repositoryCannotBeMadeInRootAndLeavesNothing() throws IOException {
		String command = "mkdir .git/objects; echo x > .git/description; ls -A .git; mkdir -p sub/.git; echo ran";
		assertThat(this.fixture.runWith(protect(".git/hooks", ".git/config"), command).out()).isEqualTo("ran\n");
		assertThat(this.fixture.workspace().resolve(".git")).doesNotExist();
		assertThat(this.fixture.workspace().resolve("sub/.git")).isDirectory();
	}

	@Test
	void placeholderOfRepositoryIsMarkedWhileCommandsRun() throws IOException {
		UnaryOperator<SandboxRequest.Builder> changes = (request) -> request
			.attributes(protect(".git/hooks", ".git/config").apply(SandboxAttributes.builder()).build());
		Path git = this.fixture.workspace().resolve(".git");
		try (SandboxHandle first = this.fixture.start("sleep 60", changes)) {
			assertThat(MountPoint.isMarked(git)).isTrue();
			assertThat(this.fixture.run("mkdir .git/x; echo ran", changes).out()).isEqualTo("ran\n");
			assertThat(MountPoint.isMarked(git)).as("for the running command").isTrue();
			first.cancel();
			first.exit().block();
		}
		assertThat(git).doesNotExist();
	}

	@Test
	void placeholderThatAnotherJvmHasLeftIsNoRepositoryEither() throws IOException {
		Path git = Files.createDirectory(this.fixture.workspace().resolve(".git"));
		MountPoint.mark(git);
		assertThat(this.fixture.runWith(protect(".git/hooks"), "mkdir .git/x; echo x > .git/HEAD; echo ran").out())
			.isEqualTo("ran\n");
		assertThat(MountPoint.isMarked(git)).as("another command may need it").isTrue();
		assertThat(git).isEmptyDirectory();
	}

	/**
	 * Protected paths are relative to each root directory, but not to the writable
	 * directories within a read-only root.
	 */
	@Test
	void pathIsProtectedInTheWorkspaceAndInANestedMount() throws IOException {
		Path inner = Files.createDirectories(this.fixture.workspace().resolve("inner"));
		Mount mount = new Mount(inner, inner.toString(), true);
		String attack = "for d in . inner; do mkdir -p $d/.git/hooks; echo evil > $d/.git/hooks/x; done; echo ran";
		assertThat(this.fixture
			.runWith((attributes) -> protect(".git/hooks").apply(attributes).mounts(List.of(mount)), attack)
			.out()).isEqualTo("ran\n");
		assertThat(inner.resolve(".git/hooks")).doesNotExist();
		assertThat(this.fixture.workspace().resolve(".git/hooks")).doesNotExist();
		BubblewrapFixture.Outcome part = this.fixture.run(attack, (request) -> request.readOnly(true)
			.attributes(protect(".git/hooks").apply(SandboxAttributes.builder()).mounts(List.of(mount)).build()));
		assertThat(part.out()).isEqualTo("ran\n");
		assertThat(inner.resolve(".git/hooks/x")).hasContent("evil");
	}

	@Test
	void hiddenPathIsHiddenWithinAReadOnlyPath() throws IOException {
		Path shown = this.fixture.beside("shown");
		Path hidden = Files.createDirectories(shown.resolve("state/inner"));
		Files.writeString(shown.resolve("seen"), "seen");
		Files.writeString(hidden.resolve("spill"), "spill of somebody");
		Path link = Files.createSymbolicLink(shown.resolveSibling("link"), shown);
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes.commands((commands) -> commands.readOnlyPaths(List.of(shown, link))
				.hiddenPaths(List.of(shown.resolve("state"))))));
				SandboxHandle handle = sandbox.start(JvmUser.grantAccess(new SandboxRequest.Builder(
						"cat %1$s/seen %1$s/state/inner/spill; cat %2$s/seen %2$s/state/inner/spill; ls -A %1$s/state"
							.formatted(shown, link),
						this.fixture.workspace())
					.build()))) {
			BubblewrapFixture.Outcome outcome = BubblewrapFixture.outcome(handle);
			assertThat(outcome.out()).isEqualTo("seenseen");
			assertThat(outcome.err()).contains("No such file");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "chmod 0 .", "chmod 0 a/b a .", "chmod 0 inner; chmod 0 .", "chmod 500 a" })
	void revokedAccessIsRestoredForTheNextCommand(String attack) throws IOException {
		Path settings = Files.createDirectories(this.fixture.workspace().resolve("a/b")).resolve("settings");
		Files.writeString(settings, "kept");
		Path inner = Files.createDirectories(this.fixture.workspace().resolve("inner"));
		UnaryOperator<SandboxAttributes.Builder> changes = (attributes) -> protect("a/b/settings", "a/missing")
			.apply(attributes)
			.mounts(List.of(new Mount(inner, inner.toString(), true)));
		assertThat(this.fixture.runWith(changes, attack + "; echo ran").out()).isEqualTo("ran\n");
		BubblewrapFixture.Outcome next = this.fixture.runWith(changes, "echo x > own; chmod -R 777 .;"
				+ " echo x > a/b/settings; echo x > a/missing; echo y > inner/own; echo ran");
		assertThat(next.out()).isEqualTo("ran\n");
		assertThat(settings).hasContent("kept");
		assertThat(this.fixture.workspace().resolve("a/missing")).doesNotExist();
		assertThat(inner.resolve("own")).hasContent("y\n");
	}

	@Test
	void restoredAccessDoesNotFollowLinks() throws IOException {
		Path elsewhere = this.fixture.beside("elsewhere");
		Files.createDirectory(elsewhere.resolve("b"));
		Files.createSymbolicLink(this.fixture.workspace().resolve("a"), elsewhere);
		JvmUser.grantAccess(elsewhere);
		Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("r-xr-xr-x"));
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.fixture.runWith(protect("a/b/settings"), "true"))
			.withMessageContaining("symbolic link");
		assertThat(Files.getPosixFilePermissions(elsewhere)).isEqualTo(PosixFilePermissions.fromString("r-xr-xr-x"));
		Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	@Test
	void protectedFileCannotBeChangedOrMoved() throws IOException {
		Path settings = Files.createDirectories(this.fixture.workspace().resolve("a/b")).resolve("settings");
		Files.writeString(settings, "kept");
		String attack = "echo x > a/b/settings; rm -f a/b/settings; mv a/b/settings s; mv a/b c; mv a d; rm -rf a;"
				+ " mkdir -p a/b; echo x > a/b/settings; cp own a/b/settings; echo y > a/b/new; echo ran";
		assertThat(this.fixture.runWith(protect("a/b/settings"), attack).out()).isEqualTo("ran\n");
		assertThat(settings).hasContent("kept");
		assertThat(settings.resolveSibling("new")).as("file that is not protected").hasContent("y");
	}

	@Test
	void placeholderExistsUntilTheLastCommandThatNeedsItEnds() throws IOException {
		Path placeholder = this.fixture.workspace().resolve(".envrc");
		UnaryOperator<SandboxRequest.Builder> changes = (request) -> request
			.attributes(protect(".envrc").apply(SandboxAttributes.builder()).build());
		try (SandboxHandle first = this.fixture.start("sleep 60", changes)) {
			assertThat(placeholder).exists();
			assertThat(this.fixture.run("true", changes).exit().exitCode()).isZero();
			assertThat(placeholder).as("placeholder of the running command").exists();
			assertThat(this.fixture.run("echo x > .envrc; echo ran", changes).out()).isEqualTo("ran\n");
			first.cancel();
			first.exit().block();
		}
		assertThat(placeholder).doesNotExist();
	}

	@Test
	void protectedPathThatContainsASymbolicLinkIsRefused() throws IOException {
		Files.createSymbolicLink(this.fixture.workspace().resolve(".git"), this.fixture.beside("elsewhere"));
		for (String path : List.of(".git", ".git/hooks")) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> this.fixture.runWith(protect(".envrc", path), "true"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST))
				.withMessageContainingAll(".git", "symbolic link");
		}
		assertThat(this.fixture.workspace().resolve(".envrc")).as("placeholder of the refused command").doesNotExist();
	}

	@Test
	void protectedPathBelowAFileProtectsTheFile() throws IOException {
		Path file = Files.writeString(this.fixture.workspace().resolve(".git"), "gitdir: x");
		assertThat(this.fixture.runWith(protect(".git/hooks"), "rm -f .git; mv .git g; echo x > .git; echo ran").out())
			.isEqualTo("ran\n");
		assertThat(file).hasContent("gitdir: x");
	}

	@Test
	void readOnlyMountWithinTheWorkspaceCannotBeChangedOrMoved() throws IOException {
		Path inner = Files.createDirectories(this.fixture.workspace().resolve("a/b"));
		String attack = "echo x > a/b/written; mv a c; rm -rf a; mkdir -p a/b; echo x > a/b/written; echo y > a/own;"
				+ " echo ran";
		assertThat(
				this.fixture.runWith((attributes) -> attributes.mounts(List.of(new Mount(inner, false))), attack).out())
			.isEqualTo("ran\n");
		assertThat(inner).isEmptyDirectory();
		assertThat(this.fixture.workspace().resolve("a/own")).hasContent("y\n");
	}

	@Test
	void pathIsProtectedInAWritableMountBesideTheWorkspace() throws IOException {
		Path other = this.fixture.beside("other");
		String attack = "cd " + other + " && mkdir -p .git/hooks; echo x > .git/hooks/x; echo y > own; echo ran";
		assertThat(this.fixture
			.runWith((attributes) -> protect(".git/hooks").apply(attributes).mounts(List.of(new Mount(other, true))),
					attack)
			.out()).isEqualTo("ran\n");
		assertThat(other.resolve(".git")).doesNotExist();
		assertThat(other.resolve("own")).hasContent("y\n");
	}

	@Test
	void pathIsProtectedInAWritableMountWithinAReadOnlyWorkspace() throws IOException {
		Path inner = Files.createDirectories(this.fixture.workspace().resolve("out"));
		this.fixture.run("mkdir -p out/x; echo x > out/x/y; echo x > out/own",
				(request) -> request.readOnly(true)
					.attributes(SandboxAttributes.builder()
						.mounts(List.of(new Mount(inner, true)))
						.protectedPaths(List.of("out/x/y"))
						.build()));
		assertThat(inner.resolve("x")).doesNotExist();
		assertThat(inner.resolve("own")).hasContent("x\n");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/usr/bin", "/usr/local/lib", "/bin/x", "/lib/x86_64-linux-gnu", "/lib64/x", "/etc/other" })
	void mountAmongTheProgramsIsRefused(String target) throws IOException {
		Path other = this.fixture.beside("other");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.fixture
				.runWith((attributes) -> attributes.mounts(List.of(new Mount(other, target, true))), "true"))
			.withMessageContaining(target)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
		assertThat(other).isEmptyDirectory();
	}

	@ParameterizedTest
	@ValueSource(strings = { "usr/bin", "proc", "home" })
	void mountOnALinkIsRefused(String covered) throws IOException {
		Path workspace = this.fixture.workspace();
		Files.createSymbolicLink(workspace.resolve("link"), workspace.relativize(Path.of("/", covered)));
		Path other = this.fixture.beside("other");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.fixture.runWith(
					(attributes) -> attributes.mounts(List.of(new Mount(other, workspace + "/link", true))), "true"))
			.withMessageContaining(workspace + "/link")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
	}

	@Test
	void directoryMountedReadOnlyElsewhereIsReadOnlyInTheWorkspace() throws IOException {
		Path inner = Files.createDirectories(this.fixture.workspace().resolve("a"));
		this.fixture.runWith((attributes) -> attributes.mounts(List.of(new Mount(inner, "/shown", false))),
				"echo x > a/written; echo x > /shown/written; mv a b");
		assertThat(inner).isEmptyDirectory();
	}

	@Test
	void writableMountWithinAReadOnlyWorkspaceIsWritable() throws IOException {
		Path inner = Files.createDirectories(this.fixture.workspace().resolve("out"));
		this.fixture.run("echo x > written; echo x > out/written", (request) -> request.readOnly(true)
			.attributes(SandboxAttributes.builder().mounts(List.of(new Mount(inner, true))).build()));
		assertThat(this.fixture.workspace()).isDirectoryNotContaining("glob:**/written");
		assertThat(inner.resolve("written")).hasContent("x\n");
	}

	@Test
	void lastDirectoryIsReportedAsAHostPath() throws IOException {
		Path other = this.fixture.beside("other/deep").getParent();
		UnaryOperator<SandboxAttributes.Builder> moved = (attributes) -> attributes.workspaceTarget("/work")
			.mounts(List.of(new Mount(other, "/work-too", true)));
		assertThat(this.fixture.runWith(moved, "mkdir sub; cd sub").directory())
			.isEqualTo(this.fixture.workspace().resolve("sub"));
		assertThat(this.fixture.runWith(moved, "cd /work-too/deep").directory()).isEqualTo(other.resolve("deep"));
		assertThat(this.fixture.runWith(moved, "cd /usr").directory()).isNull();
		assertThat(this.fixture.runWith(moved, "ln -s / up; exec sh -c 'echo /work/up/etc > /run/kairo/directory'")
			.directory()).isNull();
		assertThat(this.fixture.runWith(moved, "exec sh -c 'echo /work/../../etc > /run/kairo/directory'").directory())
			.isNull();
	}

	@Test
	void workingDirectoryIsMappedIntoTheSandbox() throws IOException {
		Path start = Files.createDirectories(this.fixture.workspace().resolve("sub"));
		assertThat(
				this.fixture.runWith((attributes) -> attributes.workspaceTarget("/work").workingDirectory(start), "pwd")
					.out())
			.isEqualTo("/work/sub\n");
		Path elsewhere = this.fixture.beside("elsewhere");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.fixture.runWith((attributes) -> attributes.workingDirectory(elsewhere), "pwd"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.INVALID_DIRECTORY));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/", "/usr", "/etc", "/proc/x", "/dev/x", "/sys/x", "/run/kairo/x", "relative", "/a/../b" })
	void reservedOrInvalidWorkspaceTargetIsRefused(String target) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.fixture.runWith((attributes) -> attributes.workspaceTarget(target), "true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
	}

	@Test
	void mountOfTheHostRootIsRefused() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.fixture
				.runWith((attributes) -> attributes.mounts(List.of(new Mount(Path.of("/"), "/host", false))), "true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
	}

}

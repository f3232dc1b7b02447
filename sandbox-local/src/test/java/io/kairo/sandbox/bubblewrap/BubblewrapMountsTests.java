package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests where a command in a {@link BubblewrapSandbox} sees its directories, and what it
 * can change in them.
 */
@RequiresBubblewrap
class BubblewrapMountsTests {

	@RegisterExtension
	final Confined confined = new Confined();

	private static UnaryOperator<SandboxAttributes.Builder> protect(String... paths) {
		return (attributes) -> attributes.protectedPaths(List.of(paths));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit", "mkdir .git; echo x > .git/hooks",
			"mv .git g; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit", "rm -rf .git; mkdir -p .git/hooks/x",
			"ln -s /tmp .git; mkdir .git/hooks", "umount .git/hooks; umount -l .git; echo x > .git/hooks",
			"mount -o remount,rw .git/hooks; echo x > .git/hooks", "mv . ../other; echo x > .git/hooks",
			"mkdir g; mv -T g .git; mv g/hooks .git/hooks", "chmod 777 .git/hooks; echo x > .git/hooks" })
	void aProtectedPathThatIsMissingCannotBeMadeAndLeavesNothing(String attack) throws IOException {
		assertThat(this.confined.runWith(protect(".git/hooks"), attack + "; echo x > own; echo ran").out())
			.endsWith("ran\n");
		assertThat(this.confined.workspace().resolve("own")).exists();
		assertThat(this.confined.workspace().resolve(".git/hooks")).doesNotExist();
	}

	/**
	 * Protected paths are relative to each directory that is a root of its own, and not
	 * to the writable parts of one that is read-only.
	 */
	@Test
	void aPathIsProtectedInARootWithinAnotherOne() throws IOException {
		Path inner = Files.createDirectories(this.confined.workspace().resolve("inner"));
		Mount mount = new Mount(inner, inner.toString(), true);
		String attack = "for d in . inner; do mkdir -p $d/.git/hooks; echo evil > $d/.git/hooks/x; done; echo ran";
		assertThat(this.confined
			.runWith((attributes) -> protect(".git/hooks").apply(attributes).mounts(List.of(mount)), attack)
			.out()).isEqualTo("ran\n");
		assertThat(inner.resolve(".git/hooks")).doesNotExist();
		assertThat(this.confined.workspace().resolve(".git/hooks")).doesNotExist();
		Confined.Outcome part = this.confined.run(attack, (request) -> request.readOnly(true)
			.attributes(protect(".git/hooks").apply(SandboxAttributes.builder()).mounts(List.of(mount)).build()));
		assertThat(part.out()).isEqualTo("ran\n");
		assertThat(inner.resolve(".git/hooks/x")).hasContent("evil");
	}

	@Test
	void hiddenPathsAreHiddenInReadOnlyPaths() throws IOException {
		Path shown = this.confined.beside("shown");
		Path hidden = Files.createDirectories(shown.resolve("state/inner"));
		Files.writeString(shown.resolve("seen"), "seen");
		Files.writeString(hidden.resolve("spill"), "spill of somebody");
		Path link = Files.createSymbolicLink(shown.resolveSibling("link"), shown);
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(Machine.options()
			.withReadOnlyPaths(List.of(shown, link))
			.withHiddenPaths(List.of(shown.resolve("state"))));
				SandboxHandle handle = sandbox.start(Machine.handOver(new SandboxRequest.Builder(
						"cat %1$s/seen %1$s/state/inner/spill; cat %2$s/seen %2$s/state/inner/spill; ls -A %1$s/state"
							.formatted(shown, link),
						this.confined.workspace())
					.build()))) {
			Confined.Outcome outcome = Confined.outcome(handle);
			assertThat(outcome.out()).isEqualTo("seenseen");
			assertThat(outcome.err()).contains("No such file");
		}
	}

	@Test
	void aProtectedFileStaysAsItIs() throws IOException {
		Path settings = Files.createDirectories(this.confined.workspace().resolve("a/b")).resolve("settings");
		Files.writeString(settings, "kept");
		String attack = "echo x > a/b/settings; rm -f a/b/settings; mv a/b/settings s; mv a/b c; mv a d; rm -rf a;"
				+ " mkdir -p a/b; echo x > a/b/settings; cp own a/b/settings; echo y > a/b/new; echo ran";
		assertThat(this.confined.runWith(protect("a/b/settings"), attack).out()).isEqualTo("ran\n");
		assertThat(settings).hasContent("kept");
		assertThat(settings.resolveSibling("new")).as("what is not protected").hasContent("y");
	}

	@Test
	void placeholderStaysUntilTheLastCommandThatNeedsItHasEnded() throws IOException {
		Path mask = this.confined.workspace().resolve(".envrc");
		UnaryOperator<SandboxRequest.Builder> changes = (request) -> request
			.attributes(protect(".envrc").apply(SandboxAttributes.builder()).build());
		try (SandboxHandle first = this.confined.start("sleep 60", changes)) {
			assertThat(mask).exists();
			assertThat(this.confined.run("true", changes).exit().exitCode()).isZero();
			assertThat(mask).as("the mask of the command that still runs").exists();
			assertThat(this.confined.run("echo x > .envrc; echo ran", changes).out()).isEqualTo("ran\n");
			first.cancel();
			first.exit().block();
		}
		assertThat(mask).doesNotExist();
	}

	@Test
	void aProtectedPathBehindALinkIsRefused() throws IOException {
		Files.createSymbolicLink(this.confined.workspace().resolve(".git"), this.confined.beside("elsewhere"));
		for (String path : List.of(".git", ".git/hooks")) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> this.confined.runWith(protect(".envrc", path), "true"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST))
				.withMessageContainingAll(".git", "symbolic link");
		}
		assertThat(this.confined.workspace().resolve(".envrc")).as("the mask of a command that never ran")
			.doesNotExist();
	}

	@Test
	void aPathBelowAFileIsProtectedByProtectingTheFile() throws IOException {
		Path file = Files.writeString(this.confined.workspace().resolve(".git"), "gitdir: x");
		assertThat(this.confined.runWith(protect(".git/hooks"), "rm -f .git; mv .git g; echo x > .git; echo ran").out())
			.isEqualTo("ran\n");
		assertThat(file).hasContent("gitdir: x");
	}

	@Test
	void aReadOnlyDirectoryWithinTheWorkspaceHoldsAndSoDoWhatIsAboveIt() throws IOException {
		Path inner = Files.createDirectories(this.confined.workspace().resolve("a/b"));
		String attack = "echo x > a/b/written; mv a c; rm -rf a; mkdir -p a/b; echo x > a/b/written; echo y > a/own;"
				+ " echo ran";
		assertThat(this.confined.runWith((attributes) -> attributes.mounts(List.of(new Mount(inner, false))), attack)
			.out()).isEqualTo("ran\n");
		assertThat(inner).isEmptyDirectory();
		assertThat(this.confined.workspace().resolve("a/own")).hasContent("y\n");
	}

	@Test
	void pathsAreProtectedInDirectoriesBesideTheWorkspaceAsWell() throws IOException {
		Path other = this.confined.beside("other");
		String attack = "cd " + other + " && mkdir -p .git/hooks; echo x > .git/hooks/x; echo y > own; echo ran";
		assertThat(this.confined
			.runWith((attributes) -> protect(".git/hooks").apply(attributes).mounts(List.of(new Mount(other, true))),
					attack)
			.out()).isEqualTo("ran\n");
		assertThat(other.resolve(".git")).doesNotExist();
		assertThat(other.resolve("own")).hasContent("y\n");
	}

	@Test
	void aProtectedPathHoldsInAWritableDirectoryWithinAReadOnlyWorkspace() throws IOException {
		Path inner = Files.createDirectories(this.confined.workspace().resolve("out"));
		this.confined.run("mkdir -p out/x; echo x > out/x/y; echo x > out/own",
				(request) -> request.readOnly(true)
					.attributes(SandboxAttributes.builder()
						.mounts(List.of(new Mount(inner, true)))
						.protectedPaths(List.of("out/x/y"))
						.build()));
		assertThat(inner.resolve("x")).doesNotExist();
		assertThat(inner.resolve("own")).hasContent("x\n");
	}

	@Test
	void aDirectoryIsShownBelowEtc() throws IOException {
		Path other = this.confined.beside("other");
		assertThat(this.confined
			.runWith((attributes) -> attributes.mounts(List.of(new Mount(other, "/etc/other", true))),
					"echo x > /etc/other/written; cat /etc/passwd; ls -d /etc/ssl/certs")
			.out()).contains("sandbox", "/etc/ssl/certs");
		assertThat(other.resolve("written")).exists();
	}

	@Test
	void aReadOnlyDirectoryElsewhereIsReadOnlyInTheWorkspaceToo() throws IOException {
		Path inner = Files.createDirectories(this.confined.workspace().resolve("a"));
		this.confined.runWith((attributes) -> attributes.mounts(List.of(new Mount(inner, "/shown", false))),
				"echo x > a/written; echo x > /shown/written; mv a b");
		assertThat(inner).isEmptyDirectory();
	}

	@Test
	void aWritableDirectoryWithinAReadOnlyWorkspaceIsWritable() throws IOException {
		Path inner = Files.createDirectories(this.confined.workspace().resolve("out"));
		this.confined.run("echo x > written; echo x > out/written", (request) -> request.readOnly(true)
			.attributes(SandboxAttributes.builder().mounts(List.of(new Mount(inner, true))).build()));
		assertThat(this.confined.workspace()).isDirectoryNotContaining("glob:**/written");
		assertThat(inner.resolve("written")).hasContent("x\n");
	}

	@Test
	void theLastDirectoryIsThatOfTheHost() throws IOException {
		Path other = this.confined.beside("other/deep").getParent();
		UnaryOperator<SandboxAttributes.Builder> moved = (attributes) -> attributes.workspaceTarget("/work")
			.mounts(List.of(new Mount(other, "/work-too", true)));
		assertThat(this.confined.runWith(moved, "mkdir sub; cd sub").directory())
			.isEqualTo(this.confined.workspace().resolve("sub"));
		assertThat(this.confined.runWith(moved, "cd /work-too/deep").directory()).isEqualTo(other.resolve("deep"));
		assertThat(this.confined.runWith(moved, "cd /usr").directory()).isNull();
		assertThat(this.confined.runWith(moved, "ln -s / up; trap - EXIT; echo /work/up/etc > /run/kairo/directory")
			.directory()).isNull();
		assertThat(this.confined.runWith(moved, "trap - EXIT; echo /work/../../etc > /run/kairo/directory").directory())
			.isNull();
	}

	@Test
	void aWorkingDirectoryIsThatOfTheSandbox() throws IOException {
		Path start = Files.createDirectories(this.confined.workspace().resolve("sub"));
		assertThat(this.confined
			.runWith((attributes) -> attributes.workspaceTarget("/work").workingDirectory(start), "pwd")
			.out()).isEqualTo("/work/sub\n");
		Path elsewhere = this.confined.beside("elsewhere");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.confined.runWith((attributes) -> attributes.workingDirectory(elsewhere), "pwd"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.INVALID_DIRECTORY));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/", "/usr", "/etc", "/proc/x", "/dev/x", "/sys/x", "/run/kairo/x", "relative", "/a/../b" })
	void aPlaceThatIsTakenIsRefused(String target) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.confined.runWith((attributes) -> attributes.workspaceTarget(target), "true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
	}

	@Test
	void theRootDirectoryOfTheHostIsRefused() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.confined
				.runWith((attributes) -> attributes.mounts(List.of(new Mount(Path.of("/"), "/host", false))), "true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
	}

}

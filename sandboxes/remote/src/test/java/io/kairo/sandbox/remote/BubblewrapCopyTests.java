package io.kairo.sandbox.remote;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.remote.server.CopyOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RemoteSandbox} that copies directories to a worker with bubblewrap.
 */
@RequiresBubblewrap
@Timeout(60)
class BubblewrapCopyTests {

	@TempDir
	Path directory;

	private Path workspace;

	private RemotePair pair;

	@BeforeEach
	void open() throws Exception {
		this.workspace = Files.createDirectory(this.directory.toRealPath().resolve("workspace"));
		this.pair = RemotePair.copying(new BubblewrapSandbox(JvmUser.bubblewrapOptions()), (port) -> port,
				(options) -> options.withCopies(new CopyOptions(null, 1 << 30, JvmUser.ofCommands())),
				(options) -> options);
	}

	@AfterEach
	void close() {
		this.pair.close();
	}

	/**
	 * Runs a command.
	 * @return its output and error output
	 */
	private String run(String command, SandboxAttributes attributes) {
		try (SandboxHandle handle = this.pair
			.start(new SandboxRequest.Builder(command, this.workspace).attributes(attributes).build())) {
			handle.exit().block(Duration.ofSeconds(30));
			StringBuilder output = new StringBuilder();
			Objects.requireNonNull(handle.output().collectList().block())
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			return output.toString();
		}
	}

	@Test
	void commandSeesTheCopyAtThePathOfTheWorkspace() throws Exception {
		Files.writeString(this.workspace.resolve("file"), "content\n");
		assertThat(
				run("pwd; cat '" + this.workspace + "/file'; echo x > '" + this.workspace + "/new'; ls / | grep -c tmp",
						SandboxAttributes.builder().build()))
			.isEqualTo(this.workspace + "\ncontent\n1\n");
		assertThat(this.workspace.resolve("new")).hasContent("x");
		assertThat(Files.getOwner(this.workspace.resolve("new"))).isEqualTo(Files.getOwner(this.workspace));
	}

	@Test
	void protectedPathsStayAsTheyAreWhetherTheyExistOrNot() throws Exception {
		Files.createDirectories(this.workspace.resolve(".git"));
		Files.writeString(this.workspace.resolve(".git/config"), "kept\n");
		SandboxAttributes attributes = SandboxAttributes.builder()
			.protectedPaths(List.of(".git/config", ".git/hooks", ".other/rules"))
			.build();
		String output = run("echo evil > .git/config; mkdir .git/hooks; mkdir -p .other; echo evil > .other/rules; "
				+ "mv .git moved; rm -rf .git; echo x > .git/HEAD; echo ran", attributes);
		assertThat(output).contains("ran\n").doesNotContain("kairo:");
		assertThat(this.workspace.resolve(".git/config")).hasContent("kept");
		assertThat(this.workspace.resolve(".git/HEAD")).hasContent("x");
		assertThat(this.workspace.resolve(".git/hooks")).doesNotExist();
		assertThat(this.workspace.resolve(".other/rules")).doesNotExist();
		assertThat(this.workspace.resolve("moved")).doesNotExist();
	}

	@Test
	void directoryInsideOfAnotherOneIsCopiedOnce() throws Exception {
		Path inner = Files.createDirectories(this.workspace.resolve("a/inner"));
		Path fixed = Files.createDirectories(this.workspace.resolve("a/fixed"));
		Files.writeString(inner.resolve("file"), "inner\n");
		Files.writeString(fixed.resolve("file"), "fixed\n");
		SandboxAttributes attributes = SandboxAttributes.builder()
			.mounts(List.of(new SandboxAttributes.Mount(inner, true), new SandboxAttributes.Mount(fixed, false)))
			.build();
		// each stream has its order
		assertThat(
				run("cat a/*/file; echo x > a/inner/file; echo x > a/fixed/file; echo x > a/new; echo ran", attributes)
					.lines())
			.satisfiesOnlyOnce((line) -> assertThat(line).endsWith("Read-only file system"))
			.filteredOn((line) -> !line.endsWith("Read-only file system"))
			.containsExactly("fixed", "inner", "ran");
		assertThat(inner.resolve("file")).hasContent("x");
		assertThat(fixed.resolve("file")).hasContent("fixed");
		assertThat(this.workspace.resolve("a/new")).hasContent("x");
	}

}

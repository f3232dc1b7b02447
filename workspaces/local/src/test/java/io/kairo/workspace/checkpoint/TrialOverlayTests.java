package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;

import io.kairo.api.workspace.TrialOverlays.Overlay;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link TrialOverlay}.
 */
@EnabledOnOs(OS.LINUX)
class TrialOverlayTests {

	@TempDir
	Path temp;

	private Path root;

	private Path layer;

	@BeforeEach
	void createDirectories() throws IOException {
		this.root = Files.createDirectories(this.temp.resolve("root/src")).getParent();
		Files.createSymbolicLink(this.root.resolve("link"), Path.of("/nowhere"));
		Files.writeString(this.root.resolve("src/a"), "a");
		this.layer = Files.createDirectories(this.temp.resolve("layer/upper")).getParent();
	}

	private boolean isPossible() {
		return TrialOverlay.isPossible(this.root, this.layer);
	}

	private boolean isChanged(String path) {
		return new TrialOverlay(new Overlay(this.root, () -> true, () -> {
		}), this.layer.resolve("upper")).isChanged(Path.of(path));
	}

	private static void run(Path directory, String... command) throws Exception {
		assertThat(new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor()).isZero();
	}

	@Test
	void ordinaryTreeCanBeShown() {
		assertThat(isPossible()).isTrue();
	}

	@Test
	void specialFileNeedsACopy() throws Exception {
		run(this.root, "mkfifo", "src/pipe");
		assertThat(isPossible()).isFalse();
	}

	@Test
	void unreadableFileNeedsACopy() throws IOException {
		Files.setPosixFilePermissions(this.root.resolve("src/a"), PosixFilePermissions.fromString("-wx------"));
		assertThat(isPossible()).isFalse();
	}

	@Test
	void unreadableDirectoryNeedsACopy() throws IOException {
		Files.setPosixFilePermissions(this.root.resolve("src"), PosixFilePermissions.fromString("-wx------"));
		assertThat(isPossible()).isFalse();
		Files.setPosixFilePermissions(this.root.resolve("src"), PosixFilePermissions.fromString("rwx------"));
	}

	@Test
	void missingRootAndOtherFileSystemNeedACopy() {
		assertThat(TrialOverlay.isPossible(this.temp.resolve("missing"), this.layer)).isFalse();
		assertThat(TrialOverlay.isPossible(Path.of("/proc/self/fdinfo"), this.layer)).isFalse();
	}

	@Test
	void fileOfAnotherUserNeedsACopy() throws IOException {
		assumeThat(System.getProperty("user.name")).as("SKIPPED: only root can give files away").isEqualTo("root");
		Files.setAttribute(this.root.resolve("src/a"), "unix:uid", 65534);
		assertThat(isPossible()).isFalse();
	}

	@Test
	void changesAreWhatTheUpperDirectoryHas() throws Exception {
		Path upper = this.layer.resolve("upper");
		Files.createDirectories(upper.resolve("merged"));
		Files.writeString(upper.resolve("merged/file"), "x");
		Files.createSymbolicLink(upper.resolve("link"), Path.of("/"));
		run(upper, "mknod", "gone", "c", "0", "0");
		Files.createDirectories(upper.resolve("opaque/inner"));
		Files.getFileAttributeView(upper.resolve("opaque"), UserDefinedFileAttributeView.class)
			.write("overlay.opaque", ByteBuffer.wrap("y".getBytes(StandardCharsets.UTF_8)));
		for (String changed : new String[] { "merged", "merged/file", "merged/file/below", "link", "link/etc", "gone",
				"gone/below", "opaque", "opaque/missing", "opaque/inner/missing" }) {
			assertThat(isChanged(changed)).as(changed).isTrue();
		}
		for (String other : new String[] { "src", "src/a", "merged/other", "merged/other/below" }) {
			assertThat(isChanged(other)).as(other).isFalse();
		}
	}

}

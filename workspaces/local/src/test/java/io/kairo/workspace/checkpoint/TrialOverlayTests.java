package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
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

	@Test
	void overlayThatDoesNotShowTheWorkspaceIsReplacedByACopy() throws Exception {
		AtomicInteger ended = new AtomicInteger();
		begin((lower, directory) -> pretended(directory, () -> true, ended::incrementAndGet), (trial, files) -> {
			assertThat(ended).hasValue(1);
			assertThat(trial.files(files).location(this.root).resolve("src/a")).hasContent("a");
			assertThat(trial.files(files).tryWriteFile("src/a", "b").isOk()).isTrue();
			assertThat(trial.commit(trial.files(files), Set.of()).value().done()).isTrue();
			assertThat(this.root.resolve("src/a")).hasContent("b");
		});
	}

	@Test
	void overlayThatIsNotIntactIsNeitherChangedNorCommitted() throws Exception {
		AtomicBoolean intact = new AtomicBoolean(true);
		begin((lower, directory) -> {
			Overlay overlay = pretended(directory, intact::get, () -> {
			});
			run(lower, "cp", "-a", ".", overlay.directory().toString());
			return overlay;
		}, (trial, files) -> {
			WorkspaceFiles tried = trial.files(files);
			assertThat(tried.location(this.root)).hasFileName("merged");
			assertThat(tried.tryWriteFile("before", "x").isOk()).isTrue();
			intact.set(false);
			for (WorkspaceResult<?> refused : List.of(tried.tryWriteFile("after", "x"), trial.changes(tried),
					trial.commit(tried, Set.of()))) {
				assertThat(refused).isInstanceOfSatisfying(WorkspaceResult.Failure.class, (failure) -> {
					assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.CONFLICT);
					assertThat(failure.message()).contains("is gone: discard the trial");
				});
			}
			assertThat(tried.location(this.root).resolve("after")).doesNotExist();
			assertThat(this.root.resolve("before")).doesNotExist();
		});
	}

	/**
	 * Returns a directory that is no overlay, and shows nothing.
	 */
	private static Overlay pretended(Path layer, BooleanSupplier intact, Runnable end) throws IOException {
		Files.createDirectory(layer.resolve("upper"));
		return new Overlay(Files.createDirectory(layer.resolve("merged")), intact, end);
	}

	private void begin(Mount mount, Tried test) throws Exception {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		WorkspaceFiles files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace);
		try (CheckpointStore store = new CheckpointStore(this.temp.resolve("state"), CheckpointOptions.defaults(),
				TrialOptions.defaults(this.temp.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
				WorkspaceTrial trial = store.open(TenantContext.SINGLE, "session", workspace)
					.trial(files, (lower, directory) -> {
						try {
							return mount.of(lower, directory);
						}
						catch (Exception ex) {
							throw new IllegalStateException(ex);
						}
					})
					.value()) {
			test.run(trial, files);
		}
	}

	/**
	 * Makes an overlay.
	 */
	private interface Mount {

		Overlay of(Path lower, Path layer) throws Exception;

	}

	/**
	 * A test in a trial.
	 */
	private interface Tried {

		void run(WorkspaceTrial trial, WorkspaceFiles files) throws Exception;

	}

}

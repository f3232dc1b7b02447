package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.SyncReport.Outcome;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of files in workspaces against an S3 server.
 */
@ExtendWith(S3Server.Extension.class)
class S3WorkspaceTests {

	private static final WorkspaceFilesFactory LOCAL = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS);

	private final S3Server server;

	@TempDir
	Path directory;

	private String bucket;

	private S3WorkspaceProvider provider;

	S3WorkspaceTests(S3Server server) {
		this.server = server;
	}

	@BeforeEach
	void open() {
		this.bucket = this.server.newBucket();
		this.provider = provider(WriteBackMode.ON_RELEASE);
		this.server.put(this.bucket, "work/readme.md", "hello");
		this.server.put(this.bucket, "work/src/a.txt", "a");
		this.server.put(this.bucket, "work/src/deep/b.txt", "b");
		this.server.put(this.bucket, "other/secret.txt", "secret");
		this.server.put(this.bucket, "work2/secret.txt", "secret");
	}

	@AfterEach
	void close() {
		this.provider.close();
	}

	private S3WorkspaceProvider provider(WriteBackMode mode) {
		return new S3WorkspaceProvider(
				this.server.options(this.directory.resolve("s3"), this.bucket + "/work").writeBack(mode).build(),
				S3Server.credentials());
	}

	private Workspace acquire() {
		return this.provider.acquire(WorkspaceRequest.writable("s3://" + this.bucket + "/work"));
	}

	private WorkspaceFiles files(Workspace workspace) {
		return this.provider.files(LOCAL).open(workspace);
	}

	private static String read(WorkspaceFiles files, String path) {
		return files.tryReadFile(path).value().content();
	}

	private static SyncReport writeBack(Workspace workspace) {
		return Objects.requireNonNull(workspace.sync()).writeBack().value();
	}

	@Test
	void filesAreListedAndFetchedWhenTheyAreUsed() throws Exception {
		Workspace workspace = acquire();
		assertThat(workspace.root().resolve("src")).isEmptyDirectory();
		assertThat(Files.size(workspace.root().resolve("readme.md"))).isEqualTo(5);
		assertThat(Files.getPosixFilePermissions(workspace.root().resolve("readme.md"))).isEmpty();
		WorkspaceFiles files = files(workspace);
		assertThat(read(files, "readme.md")).isEqualTo("hello");
		assertThat(workspace.root().resolve("readme.md")).hasContent("hello");
		assertThat(files.listDirectory("src", 1).value().entries()).extracting((entry) -> entry.path().name())
			.containsExactly("a.txt", "deep");
		assertThat(workspace.root().resolve("src/deep")).isEmptyDirectory();
		assertThat(read(files, "src/deep/b.txt")).isEqualTo("b");
	}

	@Test
	void listingShowsSizeAndModeOfFilesThatAreNotFetched() {
		assertThat(files(acquire()).listDirectory("", 1).value().entries()).filteredOn("size", 5L)
			.singleElement()
			.satisfies((entry) -> assertThat(entry.mode()).isEqualTo("rw-r--r--"));
	}

	@Test
	void walkFetchesOnlyFilesThatAreRead() {
		Workspace workspace = acquire();
		WorkspaceFiles files = files(workspace);
		List<String> contents = new ArrayList<>();
		files.walk(files.root(), (file) -> {
			if (file.path().name().equals("b.txt")) {
				byte[] bytes = new byte[10];
				contents.add(new String(bytes, 0, file.read(bytes, 0), StandardCharsets.UTF_8));
			}
			return WorkspaceVisitor.Next.CONTINUE;
		});
		assertThat(contents).containsExactly("b");
		assertThat(files.getFilePaths().value()).containsExactly("readme.md", "src/a.txt", "src/deep/b.txt");
		assertThat(workspace.root().resolve("src/deep/b.txt")).hasContent("b");
	}

	@Test
	void releaseWritesChangesBack() {
		Workspace workspace = acquire();
		WorkspaceFiles files = files(workspace);
		files.tryWriteFile("readme.md", "changed").value();
		files.tryWriteFile("new/file.txt", "new").value();
		files.apply(new WorkspaceChange.Delete(new WorkspacePath(files.root().root(), "src/a.txt"))).value();
		files
			.apply(new WorkspaceChange.Move(new WorkspacePath(files.root().root(), "src/deep"),
					new WorkspacePath(files.root().root(), "moved")))
			.value();
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("hello");
		this.provider.release(workspace.id());
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("changed");
		assertThat(this.server.keys(this.bucket)).containsExactlyInAnyOrder("work/readme.md", "work/new/file.txt",
				"work/moved/b.txt", "other/secret.txt", "work2/secret.txt");
		assertThat(workspace.root()).doesNotExist();
		assertThat(this.provider.unwritten()).isEmpty();
	}

	@Test
	void releaseDiscardsChangesThatAreWrittenOnDemandOnly() {
		this.provider.close();
		this.provider = provider(WriteBackMode.ON_DEMAND);
		Workspace workspace = acquire();
		files(workspace).tryWriteFile("readme.md", "written").value();
		assertThat(writeBack(workspace).complete()).isTrue();
		files(workspace).tryWriteFile("readme.md", "discarded").value();
		this.provider.release(workspace.id());
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("written");
	}

	@Test
	void changesAreWrittenAtOnceIfConfigured() {
		this.provider.close();
		this.provider = provider(WriteBackMode.AT_ONCE);
		Workspace workspace = acquire();
		WorkspaceFiles files = files(workspace);
		files.tryWriteFile("readme.md", "changed").value();
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("changed");
		files
			.apply(new WorkspaceChange.Move(new WorkspacePath(files.root().root(), "src"),
					new WorkspacePath(files.root().root(), "moved")))
			.value();
		assertThat(this.server.keys(this.bucket)).contains("work/moved/a.txt", "work/moved/deep/b.txt")
			.doesNotContain("work/src/a.txt");
		this.server.put(this.bucket, "work/readme.md", "other");
		assertThat(files.tryWriteFile("readme.md", "mine")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.CONFLICT));
		assertThat(read(files, "readme.md")).isEqualTo("mine");
	}

	@Test
	void changesOfCommandsAreWrittenBack() throws IOException {
		Workspace workspace = acquire();
		assertThat(Objects.requireNonNull(workspace.sync()).materialize().value()).isEqualTo(3);
		assertThat(Objects.requireNonNull(workspace.sync()).materialize().value()).isZero();
		Path root = workspace.root();
		assertThat(root.resolve("src/deep/b.txt")).hasContent("b");
		FileTime before = Files.getLastModifiedTime(root.resolve("src/a.txt"));
		Files.writeString(root.resolve("src/a.txt"), "x"); // same size, and soon the same
															// time
		Files.setLastModifiedTime(root.resolve("src/a.txt"), before);
		Files.delete(root.resolve("src/deep/b.txt"));
		Files.writeString(root.resolve("run.sh"), "#!/bin/sh");
		Files.setPosixFilePermissions(root.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
		Files.createSymbolicLink(root.resolve("link"), Path.of("readme.md"));
		Files.setLastModifiedTime(root.resolve("readme.md"), FileTime.fromMillis(0)); // the
																						// same
																						// content
		SyncReport report = writeBack(workspace);
		assertThat(report.with(Outcome.WRITTEN)).extracting(SyncReport.Change::path)
			.containsExactly("run.sh", "src/a.txt");
		assertThat(report.with(Outcome.DELETED)).extracting(SyncReport.Change::path).containsExactly("src/deep/b.txt");
		assertThat(report.with(Outcome.UNSUPPORTED)).extracting(SyncReport.Change::path).containsExactly("link");
		assertThat(this.server.get(this.bucket, "work/src/a.txt")).isEqualTo("x");
		assertThat(writeBack(workspace).with(Outcome.WRITTEN)).isEmpty();
		this.provider.release(workspace.id());
		Workspace again = acquire();
		assertThat(read(files(again), "run.sh")).isEqualTo("#!/bin/sh");
		assertThat(Files.isExecutable(again.root().resolve("run.sh"))).isTrue();
	}

	@Test
	void loserOfTwoWritersKeepsBothVersions() {
		Workspace one = acquire();
		Workspace two = acquire();
		files(one).tryWriteFile("readme.md", "one").value();
		files(two).tryWriteFile("readme.md", "two").value();
		assertThat(writeBack(one).complete()).isTrue();
		SyncReport report = writeBack(two);
		assertThat(report.with(Outcome.CONFLICT)).extracting(SyncReport.Change::path).containsExactly("readme.md");
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("one");
		String copy = files(two).getFilePaths()
			.value()
			.stream()
			.filter((path) -> path.startsWith("readme.md.remote-"))
			.findFirst()
			.orElseThrow();
		assertThat(read(files(two), "readme.md")).isEqualTo("two");
		assertThat(read(files(two), copy)).isEqualTo("one");
		assertThat(writeBack(two).with(Outcome.CONFLICT)).hasSize(1);
		files(two).tryWriteFile("readme.md", "both").value();
		files(two).apply(new WorkspaceChange.Delete(new WorkspacePath(two.root(), copy))).value();
		assertThat(writeBack(two).with(Outcome.WRITTEN)).hasSize(1);
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("both");
		assertThat(this.server.keys(this.bucket)).noneMatch((key) -> key.contains(".remote-"));
	}

	@Test
	void exactlyOneOfManyConcurrentWritersWins() throws Exception {
		int writers = 6;
		ExecutorService pool = Executors.newFixedThreadPool(writers);
		try {
			for (String path : List.of("readme.md", "created.txt", "src/a.txt")) {
				CyclicBarrier barrier = new CyclicBarrier(writers);
				List<Future<SyncReport>> reports = new ArrayList<>();
				for (int i = 0; i < writers; i++) {
					String content = "writer " + i;
					reports.add(pool.submit(() -> {
						Workspace workspace = acquire();
						files(workspace).tryWriteFile(path, content).value();
						barrier.await();
						return writeBack(workspace);
					}));
				}
				int won = -1;
				int conflicts = 0;
				for (int i = 0; i < writers; i++) {
					SyncReport report = reports.get(i).get();
					if (report.complete()) {
						assertThat(won).as("only one writer of %s wins", path).isEqualTo(-1);
						won = i;
					}
					conflicts += report.with(Outcome.CONFLICT).size();
				}
				assertThat(conflicts).isEqualTo(writers - 1);
				assertThat(this.server.get(this.bucket, "work/" + path)).isEqualTo("writer " + won);
			}
		}
		finally {
			pool.shutdownNow();
		}
	}

	@Test
	void deletionOfChangedObjectIsConflict() {
		Workspace workspace = acquire();
		this.server.put(this.bucket, "work/src/a.txt", "newer");
		files(workspace).apply(new WorkspaceChange.Delete(new WorkspacePath(workspace.root(), "src/a.txt"))).value();
		// the directory is listed by the deletion, and therefore has the newer version
		assertThat(writeBack(workspace).with(Outcome.DELETED)).hasSize(1);
		files(workspace).listDirectory("src", 3).value();
		this.server.put(this.bucket, "work/src/deep/b.txt", "newer");
		files(workspace)
			.apply(new WorkspaceChange.Delete(new WorkspacePath(workspace.root(), "src"),
					WorkspaceChange.Depth.RECURSIVE, null))
			.value();
		SyncReport report = writeBack(workspace);
		assertThat(report.with(Outcome.CONFLICT)).extracting(SyncReport.Change::path).containsExactly("src/deep/b.txt");
		assertThat(this.server.get(this.bucket, "work/src/deep/b.txt")).isEqualTo("newer");
		assertThat(files(workspace).getFilePaths().value())
			.anyMatch((path) -> path.startsWith("src/deep/b.txt.remote-"));
	}

	@Test
	void objectThatIsReplacedJustBeforeItsDeletionIsKept() {
		Workspace workspace = acquire();
		files(workspace).apply(new WorkspaceChange.Delete(new WorkspacePath(workspace.root(), "src/a.txt"))).value();
		this.server.gateway().fault((method, path) -> {
			if (method.equals("DELETE") && path.endsWith("/src/a.txt")) {
				this.server.put(this.bucket, "work/src/a.txt", "newer");
			}
			return null;
		});
		SyncReport report = writeBack(workspace);
		this.server.gateway().fault((method, path) -> null);
		assertThat(report.with(Outcome.CONFLICT)).extracting(SyncReport.Change::path).containsExactly("src/a.txt");
		assertThat(this.server.get(this.bucket, "work/src/a.txt")).isEqualTo("newer");
	}

	@Test
	void changeOfDeletedObjectIsConflict() {
		Workspace workspace = acquire();
		WorkspaceFiles files = files(workspace);
		files.tryWriteFile("readme.md", "changed").value();
		this.server.delete(this.bucket, "work/readme.md");
		assertThat(writeBack(workspace).with(Outcome.CONFLICT)).hasSize(1);
		assertThat(this.server.keys(this.bucket)).doesNotContain("work/readme.md");
		files.apply(new WorkspaceChange.Delete(new WorkspacePath(workspace.root(), "readme.md.deleted-remotely")))
			.value();
		assertThat(writeBack(workspace).with(Outcome.WRITTEN)).hasSize(1);
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("changed");
	}

	@Test
	void releaseKeepsWorkspaceWithConflicts() {
		Workspace workspace = acquire();
		files(workspace).tryWriteFile("readme.md", "mine").value();
		this.server.put(this.bucket, "work/readme.md", "theirs");
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> this.provider.release(workspace.id()))
			.withMessageContaining("readme.md")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.CONFLICT));
		assertThat(this.provider.unwritten()).hasSize(1);
		String kept = this.provider.unwritten().get(0).id();
		assertThat(this.provider.resume(kept).value().with(Outcome.CONFLICT)).hasSize(1);
		assertThat(workspace.root().resolve("readme.md")).hasContent("mine");
		this.provider.discard(kept);
		assertThat(this.provider.unwritten()).isEmpty();
		assertThat(workspace.root()).doesNotExist();
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("theirs");
	}

	@Test
	void nothingOutsideOfThePrefixIsReached() {
		Workspace workspace = acquire();
		WorkspaceFiles files = files(workspace);
		assertThat(files.getFilePaths().value()).noneMatch((path) -> path.contains("secret"));
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> files.tryReadFile("../other/secret.txt"));
		for (String hint : List.of("s3://" + this.bucket, "s3://" + this.bucket + "/", "s3://" + this.bucket + "/other",
				"s3://" + this.bucket + "/work2", "s3://" + this.bucket + "/wor",
				"s3://" + this.bucket + "/work/../other", "s3://" + this.bucket + "/work/..",
				"s3://" + this.bucket + "//work", "s3://" + this.bucket + "/./work", "s3://other/work",
				"s3://" + this.bucket + "/work%2F..%2Fother", "s3:" + this.bucket + "/work",
				"s3://" + this.bucket + "/work\\..\\other", "s3://" + this.bucket + "/work?x", "s3://..", "s3://")) {
			assertThatExceptionOfType(WorkspacePathException.class).as(hint)
				.isThrownBy(() -> this.provider.acquire(WorkspaceRequest.writable(hint)));
		}
	}

	@Test
	void readOnlyWorkspaceIsNotWrittenBack() throws IOException {
		Workspace workspace = this.provider.acquire(WorkspaceRequest.readOnly("s3://" + this.bucket + "/work"));
		assertThat(files(workspace).tryWriteFile("readme.md", "x").isOk()).isFalse();
		assertThat(Objects.requireNonNull(workspace.sync()).materialize().isOk()).isTrue();
		Files.writeString(workspace.root().resolve("readme.md"), "x");
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack()).isInstanceOfSatisfying(
				WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.READ_ONLY));
		this.provider.release(workspace.id());
		assertThat(this.server.get(this.bucket, "work/readme.md")).isEqualTo("hello");
	}

}

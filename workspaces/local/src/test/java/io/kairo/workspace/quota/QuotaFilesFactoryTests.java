package io.kairo.workspace.quota;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceUsage;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.MemoryDirectory;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QuotaFilesFactory}.
 */
class QuotaFilesFactoryTests {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Workspace workspace;

	private QuotaFilesFactory factory;

	private Path added;

	@BeforeEach
	void prepare() throws IOException {
		Path root = Files.createDirectories(this.temp.resolve("root"));
		this.added = Files.createDirectories(this.temp.resolve("added")).toRealPath();
		this.workspace = new LocalDirectoryWorkspaceProvider(root, List.of(this.added))
			.acquire(WorkspaceRequest.writable(null));
		this.factory = new QuotaFilesFactory(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS),
				new WorkspaceQuota(10, 2));
	}

	private WorkspaceFiles open() {
		return this.factory.open(this.workspace);
	}

	@Test
	void filesOfTheSameWorkspaceShareACount() {
		assertThat(open().tryWriteFile("a", "123456").isOk()).isTrue();
		assertThat(open().tryWriteFile("b", "12345")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.QUOTA_EXCEEDED));
		assertThat(open().tryWriteFile("b", "1234").isOk()).isTrue();
		assertThat(open().tryWriteFile("c", "").isOk()).isFalse();
	}

	@Test
	void directoriesTooDeepToCountExceedTheQuotaUntilDeleted() throws IOException {
		WorkspaceFiles files = open();
		Path deep = Files.createDirectories(this.temp.resolve("root").resolve("d/".repeat(300)));
		Files.writeString(deep.resolve("file"), "x".repeat(5_000));
		WorkspaceUsage usage = files.usage();
		assertThat(usage).isNotNull();
		assertThat(usage.exceeded()).isTrue();
		assertThat(files.tryWriteFile("a", "1")).isInstanceOfSatisfying(WorkspaceResult.Failure.class, (failure) -> {
			assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.QUOTA_EXCEEDED);
			assertThat(failure.message()).contains("too deep");
		});
		assertThat(files.walk(files.root(), (file) -> WorkspaceVisitor.Next.CONTINUE).value().unreadable()).isOne();
		files.apply(new WorkspaceChange.Delete(files.resolve("d", files.root()), WorkspaceChange.Depth.RECURSIVE, null))
			.value();
		assertThat(files.tryWriteFile("a", "1").isOk()).isTrue();
	}

	@Test
	void workspaceIsCountedOnceForAllItsFiles() {
		AtomicInteger walks = new AtomicInteger();
		WorkspaceFiles store = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(this.workspace);
		QuotaFilesFactory counting = new QuotaFilesFactory((opened) -> new ForwardingWorkspaceFiles(store) {

			@Override
			public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
				walks.incrementAndGet();
				return super.walk(directory, visitor);
			}

		}, new WorkspaceQuota(10, 2));
		assertThat(counting.open(this.workspace).tryWriteFile("a", "1").isOk()).isTrue();
		assertThat(counting.open(this.workspace).tryWriteFile("b", "1").isOk()).isTrue();
		assertThat(walks).hasValue(1);
	}

	@Test
	void usageIncludesFilesWrittenByCommands() throws IOException {
		assertThat(open().usage()).isEqualTo(new WorkspaceUsage(0, 10, 0, 2));
		Files.writeString(this.workspace.root().resolve("big"), "x".repeat(15));
		Files.createDirectories(this.workspace.root().resolve("empty"));
		WorkspaceFiles other = new QuotaFilesFactory(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS),
				new WorkspaceQuota(10, 2))
			.open(this.workspace);
		WorkspaceUsage usage = other.usage();
		assertThat(usage).isEqualTo(new WorkspaceUsage(15, 10, 1, 2));
		assertThat(usage.exceeded()).isTrue();
		assertThat(usage.bytesShare()).isEqualTo(1.5);
		assertThat(usage.filesShare()).isEqualTo(0.5);
	}

	@Test
	void usageIsThatOfTheFullestRoot() throws IOException {
		Files.writeString(this.workspace.root().resolve("small"), "x");
		Files.writeString(this.added.resolve("large"), "x".repeat(9));
		assertThat(open().usage()).isEqualTo(new WorkspaceUsage(9, 10, 1, 2));
	}

	@Test
	void usageIsNullWithoutAQuota() {
		assertThat(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(this.workspace).usage()).isNull();
		assertThat(new InMemoryWorkspaceFiles().usage()).isNull();
	}

}

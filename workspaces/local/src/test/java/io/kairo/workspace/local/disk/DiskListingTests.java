package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.host.MountPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link DirectoryLister}, through the store that has it.
 */
class DiskListingTests extends OneRootFixture {

	@Test
	void listGoesToTheRequestedDepthInOrderOfPaths() throws IOException {
		file("b/c/d/e", "x");
		file("a", "x");
		file("b-", "x");
		assertThat(listed(1)).containsExactly("a", "b", "b-");
		assertThat(listed(2)).containsExactly("a", "b", "b-", "b/c");
		assertThat(listed(9)).containsExactly("a", "b", "b-", "b/c", "b/c/d", "b/c/d/e");
		assertThat(this.files.list(path("b/c"), 1).value().entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.path()).isEqualTo(path("b/c/d")));
	}

	@Test
	@Timeout(20)
	void listShowsLinksAndSpecialFilesUnopened() throws Exception {
		TestWorkspaces.link(this.root.resolve("link"), "/etc");
		TestWorkspaces.fifo(this.root.resolve("fifo"));
		file("file", "xyz");
		FileListing listing = this.files.list(path(""), 5).value();
		assertThat(listing.entries()).extracting(FileInfo::type)
			.containsExactly(FileType.OTHER, FileType.FILE, FileType.LINK);
		assertThat(listing.entries()).extracting(FileInfo::size).containsExactly(0L, 3L, 0L);
		assertThat(listing.entries()).extracting(FileInfo::version).containsOnlyNulls();
		assertThat(listing.complete()).isTrue();
	}

	@Test
	void listCountsNamesThatCannotBePaths() throws Exception {
		badName();
		file("good", "x");
		FileListing listing = this.files.list(path(""), 1).value();
		assertThat(listing.entries()).extracting((entry) -> entry.path().relative()).containsExactly("good");
		assertThat(listing.omitted()).isEqualTo(2);
	}

	@Test
	void listIsBoundedAndKeepsUpperLevelsComplete() throws IOException {
		Path directory = TestWorkspaces.directory(this.root.resolve("a"));
		for (int i = 0; i < DirectoryLister.MAX_ENTRIES; i++) {
			Files.createFile(directory.resolve("f" + i));
		}
		file("b/file", "x");
		file("z", "x");
		FileListing listing = this.files.list(path(""), 3).value();
		assertThat(listing.entries()).hasSize(DirectoryLister.MAX_ENTRIES);
		assertThat(listing.entries()).extracting((entry) -> entry.path().relative()).contains("a", "b", "z");
		assertThat(listing.entries()).isSortedAccordingTo((x, y) -> x.path().compareTo(y.path()));
		assertThat(listing.omitted()).isEqualTo(4);
		assertThat(this.files.list(path("a"), 3).value().complete()).isTrue();
	}

	@Test
	void mountPointOfRunningCommandIsNotShown() throws IOException {
		file("file", "x");
		Path point = TestWorkspaces.directory(this.root.resolve(".git"));
		MountPoint.mark(point);
		assertThat(listed(2)).containsExactly("file");
		assertThat(this.files.list(path(""), 2).value().complete()).isTrue();
		List<String> directories = new ArrayList<>();
		WalkReport report = this.files.walk(path(""), new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				directories.add(directory.relative());
				return Next.CONTINUE;
			}

			@Override
			public Next file(Entry file) {
				return Next.CONTINUE;
			}

		}).value();
		assertThat(report).isEqualTo(new WalkReport(1, 1, 0, 0, 0, false));
		assertThat(directories).containsExactly("");
		TestWorkspaces.failure(this.files.info(path(".git")), WorkspaceErrorCode.FILE_NOT_FOUND);
		TestWorkspaces.failure(this.files.list(path(".git"), 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		this.files.apply(new WorkspaceChange.Write(path(".git/description"), bytes("x"))).value();
		assertThat(listed(2)).containsExactly(".git", ".git/description", "file");
	}

	@Test
	void commandCannotHideFilesBehindMark() throws IOException {
		file("dir/file", "x");
		MountPoint.mark(this.root.resolve("dir"));
		assertThat(listed(2)).containsExactly("dir", "dir/file");
		assertThat(this.files.getFilePaths().value()).containsExactly("dir/file");
		assertThat(this.files.info(path("dir")).isOk()).isTrue();
	}

	@Test
	void listRefusesFile() throws IOException {
		file("file", "x");
		TestWorkspaces.failure(this.files.list(path("file"), 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertThatIllegalArgumentException().isThrownBy(() -> files.list(path(""), 0));
	}

	private List<String> listed(int depth) {
		return this.files.list(path(""), depth)
			.value()
			.entries()
			.stream()
			.map((entry) -> entry.path().relative())
			.toList();
	}

}

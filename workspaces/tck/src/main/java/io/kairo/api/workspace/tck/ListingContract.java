package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Listings of directories.
 */
abstract class ListingContract extends ContractPart {

	ListingContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	private List<String> names(int depth) {
		return this.files.list(root(), depth)
			.value()
			.entries()
			.stream()
			.map((entry) -> entry.path().relative())
			.toList();
	}

	@Test
	void listingHasRequestedDepth() {
		assertThat(names(1)).containsExactly("a.txt", "kb", "zoo.txt");
		assertThat(names(2)).containsExactly("a.txt", "kb", "kb/deep", "kb/foo.md", "zoo.txt");
		List<String> all = List.of("a.txt", "kb", "kb/deep", "kb/deep/bar.md", "kb/foo.md", "zoo.txt");
		assertThat(names(3)).isEqualTo(all);
		assertThat(names(Integer.MAX_VALUE)).isEqualTo(all);
	}

	@Test
	void depthOfListingIsRelativeToDirectory() {
		FileListing listing = this.files.list(path("kb"), 1).value();
		assertThat(listing.directory()).isEqualTo(path("kb"));
		assertThat(listing.entries()).extracting(FileInfo::path).containsExactly(path("kb/deep"), path("kb/foo.md"));
	}

	@Test
	void listingIsSortedByPathAndComplete() {
		for (String name : new String[] { "B", "a", "c", "kb-2", "kb.x", "Z1" }) {
			this.files.tryWriteFile(name, name);
		}
		FileListing listing = this.files.list(root(), 9).value();
		assertThat(listing.complete()).isTrue();
		assertThat(listing.omitted()).isZero();
		assertThat(listing.entries()).extracting(FileInfo::path).isSorted().hasSize(12).doesNotHaveDuplicates();
	}

	@Test
	void listingContainsTypesAndSizes() {
		assertThat(this.files.list(root(), 1).value().entries()).extracting(FileInfo::type, FileInfo::size)
			.containsExactly(tuple(FileType.FILE, 5L), tuple(FileType.DIRECTORY, 0L), tuple(FileType.FILE, 3L));
	}

	@Test
	void listingOfEmptyStoreIsEmpty() throws IOException {
		this.files = this.suite.createFiles(WritePolicy.ALLOW_ALL, Map.of());
		FileListing listing = this.files.list(root(), 3).value();
		assertThat(listing.entries()).isEmpty();
		assertThat(listing.complete()).isTrue();
		assertThat(this.files.getFilePaths().value()).isEmpty();
	}

	@Test
	void listingOfEmptyDirectoryIsEmpty() {
		this.files.apply(new WorkspaceChange.CreateDirectory(path("empty"))).value();
		assertThat(this.files.list(path("empty"), 3).value().entries()).isEmpty();
	}

	@Test
	void listingFailsForFileMissingDirectoryAndZeroDepth() {
		assertFailed(this.files.list(path("a.txt"), 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertFailed(this.files.list(path("missing"), 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.list(root(), 0));
	}

}

package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FileContent} and {@link FileListing}.
 */
class FileContentTests {

	private static final WorkspacePath PATH = new WorkspacePath(Path.of("/project"), "a");

	private static FileContent range(int length, long offset, long size) {
		return new FileContent(PATH, new byte[length], offset, size, "v1");
	}

	@Nested
	class Ranges {

		@Test
		void atEndIsTrueAtTheEndOfTheFile() {
			assertThat(range(10, 0, 10).atEnd()).isTrue();
			assertThat(range(5, 5, 10).atEnd()).isTrue();
			assertThat(range(0, 99, 10).atEnd()).isTrue();
			assertThat(range(5, 4, 10).atEnd()).isFalse();
		}

		@Test
		void contentsAreEqualByTheirBytes() {
			assertThat(range(3, 0, 3)).isEqualTo(range(3, 0, 3)).hasSameHashCodeAs(range(3, 0, 3));
			assertThat(range(3, 0, 3)).isNotEqualTo(new FileContent(PATH, new byte[] { 1, 2, 3 }, 0, 3, "v1"));
			assertThat(range(3, 0, 3)).isNotEqualTo(new FileContent(PATH, new byte[3], 0, 3, "v2"));
		}

		@Test
		void toStringDoesNotContainTheBytes() {
			assertThat(new FileContent(PATH, "secret".getBytes(), 0, 6, "v1").toString()).contains("6 bytes")
				.doesNotContain("secret");
		}

	}

	@Nested
	class Listings {

		@Test
		void listingIsCompleteIfNothingWasOmitted() {
			assertThat(new FileListing(PATH, List.of(), 0).complete()).isTrue();
			assertThat(new FileListing(PATH, List.of(), 1).complete()).isFalse();
		}

		@Test
		void listingCopiesItsEntries() {
			List<FileInfo> entries = new ArrayList<>();
			FileListing listing = new FileListing(PATH, entries, 0);
			entries.add(null);
			assertThat(listing.entries()).isEmpty();
		}

	}

}

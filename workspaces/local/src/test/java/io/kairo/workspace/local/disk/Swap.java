package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Replaces an entry of a workspace by one that points outside, and restores it.
 */
public interface Swap {

	/**
	 * * Replaces the entry. @throws java.nio.file.FileSystemException if the workspace
	 * was changed meanwhile
	 */
	void there() throws IOException;

	/**
	 * * Restores the entry. @throws java.nio.file.FileSystemException if the workspace
	 * was changed meanwhile
	 */
	void back() throws IOException;

	/**
	 * Prepares the next swap after a failed one.
	 */
	void repair() throws IOException;

	private static void move(Path from, Path to) throws IOException {
		Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
	}

	/**
	 * A file, and a link to another one.
	 *
	 * @param file the file
	 * @param outside the target of the link
	 * @param parked the directory in which they are created
	 */
	record OfFile(Path file, Path outside, Path parked) implements Swap {

		@Override
		public void there() throws IOException {
			Files.createSymbolicLink(this.parked, this.outside);
			move(this.parked, this.file);
		}

		@Override
		public void back() throws IOException {
			Files.writeString(this.parked, AttackedTree.INSIDE);
			move(this.parked, this.file);
		}

		@Override
		public void repair() throws IOException {
			Files.deleteIfExists(this.parked);
		}

	}

	/**
	 * The text of a link.
	 *
	 * @param link the link
	 * @param inside the first target
	 * @param outside the second target
	 * @param parked the directory in which links are created
	 */
	record OfText(Path link, Path inside, Path outside, Path parked) implements Swap {

		@Override
		public void there() throws IOException {
			Files.createSymbolicLink(this.parked, this.outside);
			move(this.parked, this.link);
		}

		@Override
		public void back() throws IOException {
			Files.createSymbolicLink(this.parked, this.inside);
			move(this.parked, this.link);
		}

		@Override
		public void repair() throws IOException {
			Files.deleteIfExists(this.parked);
		}

	}

	/**
	 * A directory, and a link to another one or nothing at all.
	 *
	 * @param directory the directory
	 * @param link the link; null to move the directory away only
	 * @param parked the location of the directory meanwhile
	 * @param garbage the directory for directories created in its place
	 */
	record OfDirectory(Path directory, @Nullable Path link, Path parked, Path garbage) implements Swap {

		@Override
		public void there() throws IOException {
			move(this.directory, this.parked);
			if (this.link != null) {
				move(this.link, this.directory);
			}
		}

		@Override
		public void back() throws IOException {
			if (this.link != null) {
				move(this.directory, this.link);
			}
			move(this.parked, this.directory);
		}

		@Override
		public void repair() throws IOException {
			if (this.link != null && Files.isSymbolicLink(this.directory)) {
				move(this.directory, this.link);
			}
			if (Files.exists(this.parked, LinkOption.NOFOLLOW_LINKS)) {
				if (Files.exists(this.directory, LinkOption.NOFOLLOW_LINKS)) {
					move(this.directory, this.garbage.resolve(UUID.randomUUID().toString()));
				}
				move(this.parked, this.directory);
			}
		}

	}

}

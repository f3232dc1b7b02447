package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.FileType;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an {@link OpenDirectory}. Closing the listing closes the directory.
 *
 * @param directory the directory
 * @param direct opens files without a descent, or null if there is no such opener
 */
record StreamedListing(OpenDirectory directory, @Nullable DirectFiles direct) implements ListedDirectory {

	@Override
	public Path path() {
		return this.directory.path();
	}

	@Override
	public Iterator<ListedEntry> entries() {
		Iterator<Path> names = this.directory.names();
		return new Iterator<>() {

			@Override
			public boolean hasNext() {
				return names.hasNext();
			}

			@Override
			public ListedEntry next() {
				return new Entry(StreamedListing.this, names.next());
			}

		};
	}

	@Override
	public void close() throws IOException {
		this.directory.close();
	}

	/**
	 * An entry of the directory.
	 */
	private static final class Entry implements ListedEntry {

		private final StreamedListing listing;

		private final Path path;

		private @Nullable BasicFileAttributes attributes;

		Entry(StreamedListing listing, Path path) {
			this.listing = listing;
			this.path = path;
		}

		@Override
		public String name() {
			return this.path.toString();
		}

		@Override
		public boolean isText() {
			try {
				return this.path.getFileSystem().getPath(name()).equals(this.path);
			}
			catch (InvalidPathException ex) {
				return false;
			}
		}

		@Override
		public FileType type() throws IOException {
			return ListedEntry.typeOf(attributes());
		}

		@Override
		public BasicFileAttributes attributes() throws IOException {
			BasicFileAttributes known = this.attributes;
			if (known == null) {
				known = this.listing.directory().attributes(this.path);
				this.attributes = known;
			}
			return known;
		}

		@Override
		public String stamp() throws IOException {
			this.attributes = null;
			BasicFileAttributes now = attributes();
			Path file = this.listing.path().resolve(this.path);
			// Java knows the time of the last change by path only
			long changed = file.getFileSystem().supportedFileAttributeViews().contains("unix")
					? nanos(Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS)) : 0;
			return now.fileKey() + " " + now.size() + " " + nanos(now.lastModifiedTime()) + " " + changed;
		}

		private static long nanos(Object time) {
			return ((FileTime) time).to(TimeUnit.NANOSECONDS);
		}

		@Override
		public ListedDirectory directory() throws IOException {
			return new StreamedListing(this.listing.directory().directory(this.path), this.listing.direct());
		}

		@Override
		public SeekableByteChannel file() throws IOException {
			DirectFiles direct = this.listing.direct();
			if (direct != null) {
				try {
					return direct.open(this.listing.path().resolve(this.path));
				}
				catch (IOException ex) {
					// Opening it in its directory finds out why.
				}
			}
			return this.listing.directory().file(this.path);
		}

	}

}

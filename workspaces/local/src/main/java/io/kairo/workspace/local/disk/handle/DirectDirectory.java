package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

import io.kairo.api.workspace.FileType;
import io.kairo.linux.DirectoryEntry;
import io.kairo.linux.DirectoryHandle;
import io.kairo.linux.FileStatus;
import io.kairo.linux.OpenFile;
import io.kairo.linux.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * A directory whose entries are listed and opened by direct system calls.
 *
 * @param path its path when it was opened
 * @param handle the open directory
 * @param fifoGuard performs opens that may not return
 */
record DirectDirectory(Path path, DirectoryHandle handle, FifoGuard fifoGuard) implements ListedDirectory {

	@Override
	public Iterator<ListedEntry> entries() {
		return new Entries();
	}

	@Override
	public void close() {
		this.handle.close();
	}

	private static IOException translated(SystemCallException failure, String name) {
		return (failure.error() == SystemCallException.ENOENT) ? new NoSuchFileException(name) : failure;
	}

	/**
	 * Reads the entries some at a time.
	 */
	private final class Entries implements Iterator<ListedEntry> {

		private Iterator<DirectoryEntry> some = Collections.emptyIterator();

		private boolean ended;

		@Override
		public boolean hasNext() {
			if (!this.some.hasNext() && !this.ended) {
				try {
					this.some = DirectDirectory.this.handle.next().iterator();
				}
				catch (IOException ex) {
					throw new DirectoryIteratorException(ex);
				}
				this.ended = !this.some.hasNext();
			}
			return this.some.hasNext();
		}

		@Override
		public ListedEntry next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			return new Entry(DirectDirectory.this, this.some.next());
		}

	}

	/**
	 * An entry of the directory.
	 */
	private static final class Entry implements ListedEntry {

		private final DirectDirectory directory;

		private final DirectoryEntry listed;

		private @Nullable FileStatus status;

		Entry(DirectDirectory directory, DirectoryEntry listed) {
			this.directory = directory;
			this.listed = listed;
		}

		@Override
		public String name() {
			return this.listed.name();
		}

		@Override
		public boolean isText() {
			return this.listed.text();
		}

		@Override
		public FileType type() throws IOException {
			return switch (this.listed.type()) {
				case FILE -> FileType.FILE;
				case DIRECTORY -> FileType.DIRECTORY;
				case LINK -> FileType.LINK;
				case OTHER -> FileType.OTHER;
				case UNKNOWN -> ListedEntry.typeOf(attributes());
			};
		}

		@Override
		public BasicFileAttributes attributes() throws IOException {
			return new StatusAttributes(current());
		}

		private FileStatus current() throws IOException {
			FileStatus known = this.status;
			if (known == null) {
				try {
					known = this.directory.handle().status(name());
				}
				catch (SystemCallException ex) {
					throw translated(ex, name());
				}
				this.status = known;
			}
			return known;
		}

		@Override
		public String stamp() throws IOException {
			this.status = null;
			return new StatusAttributes(current()).stamp();
		}

		@Override
		public ListedDirectory directory() throws IOException {
			DirectoryHandle above = this.directory.handle();
			FifoGuard guard = this.directory.fifoGuard();
			return new DirectDirectory(this.directory.path().resolve(name()),
					guard.open(FifoGuard.NOT_UNBLOCKED, () -> above.directory(name())), guard);
		}

		@Override
		public SeekableByteChannel file() throws IOException {
			try {
				return direct(this.directory.handle().file(name()));
			}
			catch (SystemCallException ex) {
				if (ex.error() == SystemCallException.EAGAIN) {
					return waiting();
				}
				throw translated(ex, name());
			}
		}

		/**
		 * Returns an open file if it is a regular one, even if the entry was not before.
		 */
		private SeekableByteChannel direct(OpenFile opened) throws IOException {
			try {
				FileStatus current = opened.status();
				if (!current.isRegularFile()) {
					throw new RacedException();
				}
				this.status = current;
				return new DirectFile(opened);
			}
			catch (IOException | Error ex) {
				opened.close();
				throw ex;
			}
		}

		/**
		 * Opens a file while another process holds a lease. That process has to give it
		 * back.
		 */
		private SeekableByteChannel waiting() throws IOException {
			Path path = this.directory.handle().path(name());
			return StreamedDirectory.requireRegular(this.directory.fifoGuard()
				.open(new FifoGuard.ByPath(path), () -> Files.newByteChannel(path, StreamedDirectory.READ)));
		}

	}

}

package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Objects;
import java.util.Set;

import io.kairo.host.HandlePath;
import org.jspecify.annotations.Nullable;

/**
 * A directory held by a handle of the operating system. Entries are opened in this
 * directory even if its path meanwhile denotes another one.
 */
final class SecureDirectory extends StreamedDirectory {

	/**
	 * Maximum size of a file whose extended attributes are copied, in bytes: Java copies
	 * them together with the content only.
	 */
	private static final long MAX_COPIED = 64 << 20;

	private static final Set<OpenOption> REWRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
			LinkOption.NOFOLLOW_LINKS);

	private final SecureDirectoryStream<Path> stream;

	private final FifoGuard fifoGuard;

	/** Number of opens that were given up and have not returned; guarded by the guard. */
	private int stuck;

	/** Whether the last of them closes this directory; guarded by the guard. */
	private boolean closed;

	private final Object guard = new Object();

	SecureDirectory(Path base, Path path, SecureDirectoryStream<Path> stream, FifoGuard fifoGuard) {
		super(base, path, stream);
		this.stream = stream;
		this.fifoGuard = fifoGuard;
	}

	@Override
	<V extends FileAttributeView> @Nullable V view(Path name, Class<V> type) {
		return this.stream.getFileAttributeView(name, type, LinkOption.NOFOLLOW_LINKS);
	}

	@Override
	public OpenDirectory directory(Path name) throws IOException {
		SecureDirectoryStream<Path> opened = this.fifoGuard.open(new InDirectory(this, name),
				() -> this.stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
		return new SecureDirectory(base(), path().resolve(name), opened, this.fifoGuard);
	}

	@Override
	public SeekableByteChannel file(Path name) throws IOException {
		return requireRegular(
				this.fifoGuard.open(new InDirectory(this, name), () -> this.stream.newByteChannel(name, READ)));
	}

	@Override
	public SeekableByteChannel newFile(Path name) throws IOException {
		return this.stream.newByteChannel(name, CREATE);
	}

	@Override
	public SeekableByteChannel newFile(Path name, SeekableByteChannel like) throws IOException {
		if (like.size() > MAX_COPIED || !copy(like, name)) {
			return newFile(name);
		}
		// opened for reading too, so that a FIFO in its place does not block
		SeekableByteChannel created = requireRegular(this.stream.newByteChannel(name, REWRITE));
		try {
			Path handle = HandlePath.of(created, null).path();
			if (handle == null || !Files.getAttribute(handle, "unix:nlink").equals(1)) {
				throw new RacedException();
			}
			PosixFileAttributeView view = Objects.requireNonNull(view(name, PosixFileAttributeView.class));
			view.setPermissions(view.readAttributes().permissions()); // not setuid and
																		// setgid
			return created.truncate(0);
		}
		catch (IOException | Error ex) {
			created.close();
			throw ex;
		}
	}

	/**
	 * Copies an open file with all of its attributes.
	 * @return false if that is impossible
	 */
	private boolean copy(SeekableByteChannel file, Path name) throws IOException {
		try (HandlePath handle = handle()) {
			Path original = HandlePath.of(file, null).path();
			if (handle.path() == null || original == null) {
				return false;
			}
			Files.copy(original, handle.path().resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
			return true;
		}
		catch (AccessDeniedException ex) {
			throw ex;
		}
		catch (FileSystemException ex) {
			return false; // such as a full disk: the new file may fit
		}
	}

	@Override
	public void newDirectory(Path name) throws IOException {
		try (HandlePath handle = handle()) {
			Files.createDirectory(pathFor(handle).resolve(name));
			requireHere(name);
		}
	}

	@Override
	public void newLink(Path name, Path text) throws IOException {
		try (HandlePath handle = handle()) {
			Files.createSymbolicLink(pathFor(handle).resolve(name), text);
			requireHere(name);
		}
	}

	@SuppressWarnings("StreamResourceLeak") // closed with the returned object
	private HandlePath handle() throws IOException {
		return HandlePath.of(openSelf(), self().fileKey());
	}

	private SeekableByteChannel openSelf() throws IOException {
		return this.stream.newByteChannel(path().getFileSystem().getPath("."), READ);
	}

	/**
	 * Returns a path for entries that can only be created by path: the handle's path or,
	 * without a handle, the path of this directory if it still denotes it.
	 */
	private Path pathFor(HandlePath handle) throws IOException {
		if (handle.path() != null) {
			return handle.path();
		}
		if (!Objects.equals(Files.readAttributes(path().toRealPath(), BasicFileAttributes.class).fileKey(),
				self().fileKey())) {
			throw new RacedException();
		}
		return path();
	}

	private void requireHere(Path name) throws IOException {
		if (find(name) == null) {
			throw new RacedException();
		}
	}

	@Override
	public void move(Path name, OpenDirectory target, Path targetName) throws IOException {
		this.stream.move(name, ((SecureDirectory) target).stream, targetName);
	}

	@Override
	public void deleteFile(Path name) throws IOException {
		this.stream.deleteFile(name);
	}

	@Override
	public void deleteDirectory(Path name) throws IOException {
		this.stream.deleteDirectory(name);
	}

	@Override
	public void force() throws IOException {
		try (SeekableByteChannel self = openSelf()) {
			((FileChannel) self).force(true);
		}
	}

	/**
	 * Closes this directory, or lets an open that was given up do so: the JDK would wait
	 * for it.
	 */
	@Override
	public void close() throws IOException {
		synchronized (this.guard) {
			this.closed = true;
			if (this.stuck != 0) {
				return;
			}
		}
		super.close();
	}

	/**
	 * Keeps this directory open while an open in it is given up.
	 * @param more 1 when an open is given up, -1 when it has returned
	 */
	void retain(int more) {
		synchronized (this.guard) {
			this.stuck += more;
			if (this.stuck != 0 || !this.closed) {
				return;
			}
		}
		try {
			super.close();
		}
		catch (IOException ex) {
			// Closing a directory that was only read loses nothing.
		}
	}

	/**
	 * An entry of a directory.
	 */
	private record InDirectory(SecureDirectory directory, Path name) implements FifoGuard.Entry {

		@Override
		public BasicFileAttributes attributes() throws IOException {
			return this.directory.attributes(this.name);
		}

		@Override
		public SeekableByteChannel open(Set<OpenOption> options) throws IOException {
			return this.directory.stream.newByteChannel(this.name, options);
		}

		@Override
		public void retain(int more) {
			this.directory.retain(more);
		}

	}

}

package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Iterator;
import java.util.Set;

/**
 * Stands in where the platform has no handles for directories: compares the real path
 * before and after opening. A swap there and back in between is not seen.
 */
final class CheckedDirectory implements OpenDirectory {

	private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

	private static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
			LinkOption.NOFOLLOW_LINKS);

	private final Path base;

	private final Path path;

	private final DirectoryStream<Path> stream;

	CheckedDirectory(Path base, Path path, DirectoryStream<Path> stream) {
		this.base = base;
		this.path = path;
		this.stream = stream;
	}

	@Override
	public Path path() {
		return this.path;
	}

	@Override
	public Path base() {
		return this.base;
	}

	@Override
	public BasicFileAttributes attributes(Path name) throws IOException {
		check(this.path);
		PosixFileAttributeView posix = Files.getFileAttributeView(this.path.resolve(name), PosixFileAttributeView.class,
				LinkOption.NOFOLLOW_LINKS);
		BasicFileAttributes attributes = (posix != null) ? posix.readAttributes()
				: Files.readAttributes(this.path.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		check(this.path);
		return attributes;
	}

	@Override
	@SuppressWarnings("StreamResourceLeak") // closed with what is returned
	public OpenDirectory directory(Path name) throws IOException {
		Path child = this.path.resolve(name).normalize();
		check(child);
		DirectoryStream<Path> opened = Files.newDirectoryStream(child);
		try {
			check(child);
			return new CheckedDirectory(this.base, child, opened);
		}
		catch (IOException ex) {
			opened.close();
			throw ex;
		}
	}

	@Override
	public SeekableByteChannel file(Path name) throws IOException {
		Path child = this.path.resolve(name);
		check(child);
		SeekableByteChannel channel = Files.newByteChannel(child, READ);
		try {
			check(child);
			channel.position(); // a FIFO has none
			return channel;
		}
		catch (IOException ex) {
			channel.close();
			throw new RacedException();
		}
	}

	@Override
	public SeekableByteChannel newFile(Path name) throws IOException {
		check(this.path);
		SeekableByteChannel channel = Files.newByteChannel(this.path.resolve(name), CREATE);
		try {
			check(this.path.resolve(name));
			return channel;
		}
		catch (IOException ex) {
			channel.close();
			throw new RacedException();
		}
	}

	@Override
	public void newDirectory(Path name) throws IOException {
		check(this.path);
		Files.createDirectory(this.path.resolve(name));
		check(this.path.resolve(name));
	}

	@Override
	public void newLink(Path name, Path text) throws IOException {
		check(this.path);
		Files.createSymbolicLink(this.path.resolve(name), text);
		check(this.path);
	}

	@Override
	public void assume(Path name, PosixFileAttributes like) throws IOException {
		check(this.path);
		PosixFileAttributeView view = Files.getFileAttributeView(this.path.resolve(name), PosixFileAttributeView.class,
				LinkOption.NOFOLLOW_LINKS);
		if (view != null) {
			Ownership.assume(view, like);
		}
	}

	@Override
	public void move(Path name, OpenDirectory target, Path targetName) throws IOException {
		check(this.path);
		check(target.path());
		Files.move(this.path.resolve(name), target.path().resolve(targetName), StandardCopyOption.ATOMIC_MOVE);
	}

	@Override
	public void deleteFile(Path name) throws IOException {
		check(this.path);
		Files.delete(this.path.resolve(name));
	}

	@Override
	public void deleteDirectory(Path name) throws IOException {
		check(this.path);
		Files.delete(this.path.resolve(name));
	}

	@Override
	public void force() throws IOException {
		check(this.path);
		try (FileChannel self = FileChannel.open(this.path, StandardOpenOption.READ)) {
			self.force(true);
		}
		catch (FileSystemException ex) {
			// A platform that cannot open a directory has no way to make it durable.
		}
	}

	@Override
	public Iterator<Path> names() {
		return new EntryIterator(this.stream.iterator());
	}

	@Override
	public void close() throws IOException {
		this.stream.close();
	}

	private static void check(Path path) throws IOException {
		if (!path.toRealPath().equals(path)) {
			throw new RacedException();
		}
	}

}

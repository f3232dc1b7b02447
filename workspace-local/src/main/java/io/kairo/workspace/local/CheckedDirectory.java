package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Iterator;
import java.util.Set;

/**
 * Stands in where the platform has no handles for directories: compares the real path
 * before and after opening. A swap there and back in between is not seen.
 */
final class CheckedDirectory implements OpenDirectory {

	private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

	private final Path path;

	private final DirectoryStream<Path> stream;

	CheckedDirectory(Path path, DirectoryStream<Path> stream) {
		this.path = path;
		this.stream = stream;
	}

	@Override
	public Path path() {
		return this.path;
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
		Path child = this.path.resolve(name);
		check(child);
		DirectoryStream<Path> opened = Files.newDirectoryStream(child);
		try {
			check(child);
			return new CheckedDirectory(child, opened);
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

package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Iterator;
import java.util.Set;

/**
 * A directory held by a handle of the operating system: what is opened in it is in it,
 * wherever its path leads by then.
 */
final class SecureDirectory implements OpenDirectory {

	private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

	private final Path path;

	private final SecureDirectoryStream<Path> stream;

	private final BlockedOpens blockedOpens;

	SecureDirectory(Path path, SecureDirectoryStream<Path> stream, BlockedOpens blockedOpens) {
		this.path = path;
		this.stream = stream;
		this.blockedOpens = blockedOpens;
	}

	@Override
	public Path path() {
		return this.path;
	}

	@Override
	public BasicFileAttributes attributes(Path name) throws IOException {
		PosixFileAttributeView posix = this.stream.getFileAttributeView(name, PosixFileAttributeView.class,
				LinkOption.NOFOLLOW_LINKS);
		return (posix != null) ? posix.readAttributes()
				: this.stream.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
					.readAttributes();
	}

	@Override
	public OpenDirectory directory(Path name) throws IOException {
		SecureDirectoryStream<Path> opened = this.blockedOpens.watch(this.stream, name,
				() -> this.stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
		return new SecureDirectory(this.path.resolve(name), opened, this.blockedOpens);
	}

	@Override
	public SeekableByteChannel file(Path name) throws IOException {
		SeekableByteChannel channel = this.blockedOpens.watch(this.stream, name,
				() -> this.stream.newByteChannel(name, READ));
		try {
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

}

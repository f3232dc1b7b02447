package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttributeView;

import org.jspecify.annotations.Nullable;

/**
 * A directory on a platform without handles for directories. The real path is compared
 * before and after opening. This misses a directory that is swapped and swapped back in
 * between.
 */
final class CheckedDirectory extends StreamedDirectory {

	private final FifoGuard fifoGuard;

	CheckedDirectory(Path base, Path path, DirectoryStream<Path> stream, FifoGuard fifoGuard) {
		super(base, path, stream);
		this.fifoGuard = fifoGuard;
	}

	@Override
	<V extends FileAttributeView> @Nullable V view(Path name, Class<V> type) throws IOException {
		check(path());
		return Files.getFileAttributeView(path().resolve(name), type, LinkOption.NOFOLLOW_LINKS);
	}

	@Override
	public BasicFileAttributes attributes(Path name) throws IOException {
		BasicFileAttributes attributes = super.attributes(name);
		check(path());
		return attributes;
	}

	@Override
	@SuppressWarnings("StreamResourceLeak") // closed with the returned object
	public OpenDirectory directory(Path name) throws IOException {
		Path child = path().resolve(name).normalize();
		check(child);
		DirectoryStream<Path> opened = this.fifoGuard.open(FifoGuard.NOT_UNBLOCKED,
				() -> Files.newDirectoryStream(child));
		try {
			check(child);
			return new CheckedDirectory(base(), child, opened, this.fifoGuard);
		}
		catch (IOException ex) {
			opened.close();
			throw ex;
		}
	}

	@Override
	public SeekableByteChannel file(Path name) throws IOException {
		Path child = path().resolve(name);
		check(child);
		SeekableByteChannel opened = this.fifoGuard.open(FifoGuard.NOT_UNBLOCKED,
				() -> Files.newByteChannel(child, READ));
		return requireRegular(checked(opened, child));
	}

	@Override
	public SeekableByteChannel newFile(Path name) throws IOException {
		Path child = path().resolve(name);
		check(path());
		return checked(Files.newByteChannel(child, CREATE), child);
	}

	private static SeekableByteChannel checked(SeekableByteChannel channel, Path path) throws IOException {
		try {
			check(path);
			return channel;
		}
		catch (IOException ex) {
			channel.close();
			throw new RacedException();
		}
	}

	@Override
	public void newDirectory(Path name) throws IOException {
		check(path());
		Files.createDirectory(path().resolve(name));
		check(path().resolve(name));
	}

	@Override
	public void newLink(Path name, Path text) throws IOException {
		check(path());
		Files.createSymbolicLink(path().resolve(name), text);
		check(path());
	}

	@Override
	public void move(Path name, OpenDirectory target, Path targetName) throws IOException {
		check(path());
		check(target.path());
		Files.move(path().resolve(name), target.path().resolve(targetName), StandardCopyOption.ATOMIC_MOVE);
	}

	@Override
	public void deleteFile(Path name) throws IOException {
		check(path());
		Files.delete(path().resolve(name));
	}

	@Override
	public void deleteDirectory(Path name) throws IOException {
		check(path());
		Files.delete(path().resolve(name));
	}

	@Override
	public void force() throws IOException {
		check(path());
		try (FileChannel self = FileChannel.open(path(), StandardOpenOption.READ)) {
			self.force(true);
		}
		catch (FileSystemException ex) {
			// A platform that cannot open a directory cannot make it durable.
		}
	}

	private static void check(Path path) throws IOException {
		if (!path.toRealPath().equals(path)) {
			throw new RacedException();
		}
	}

}

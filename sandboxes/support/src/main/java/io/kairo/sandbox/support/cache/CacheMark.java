package io.kairo.sandbox.support.cache;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;

import io.kairo.host.OwnerOnly;

/**
 * Marks the caches of a tenant as used, for the sandboxes of this and other JVMs with the
 * same directory: a file that is locked as long as they are.
 *
 * @param file the file
 * @param channel holds its lock
 */
record CacheMark(Path file, FileChannel channel) implements AutoCloseable {

	private static final Logger logger = System.getLogger(CacheMark.class.getName());

	private static final String DIRECTORY = ".kairo-uses";

	/**
	 * The beginning of the names of this JVM. It must not open its own files again: that
	 * would release their locks.
	 */
	private static final String OWN = UUID.randomUUID() + "-";

	/**
	 * Marks caches as used.
	 * @param caches the directory of the tenant
	 */
	static CacheMark in(Path caches) throws IOException {
		Path directory = OwnerOnly.createDirectory(caches.resolve(DIRECTORY));
		Path file = directory.resolve(OWN + UUID.randomUUID());
		FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
				OwnerOnly.file(file));
		CacheMark mark = new CacheMark(file, channel);
		try {
			channel.lock();
			return mark;
		}
		catch (IOException ex) {
			mark.close();
			throw ex;
		}
	}

	/**
	 * Returns whether caches are used, other than by some marks. Removes the marks of
	 * JVMs that have ended.
	 * @param caches the directory of the tenant
	 * @param others the marks that do not count
	 */
	static boolean isUsed(Path caches, Set<CacheMark> others) {
		try (DirectoryStream<Path> files = Files.newDirectoryStream(caches.resolve(DIRECTORY))) {
			for (Path each : files) {
				if (others.stream().noneMatch((mark) -> mark.file().equals(each)) && isLocked(each)) {
					return true;
				}
			}
			return false;
		}
		catch (NoSuchFileException ex) {
			return false;
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "It is not known whether caches are used", ex);
			return true;
		}
	}

	private static boolean isLocked(Path file) throws IOException {
		if (file.getFileName().toString().startsWith(OWN)) {
			return true;
		}
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
				FileLock lock = channel.tryLock()) {
			if (lock == null) {
				return true;
			}
			Files.deleteIfExists(file);
			return false;
		}
		catch (NoSuchFileException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		try (this.channel) {
			Files.deleteIfExists(this.file);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The mark of used caches could not be removed", ex);
		}
	}

}

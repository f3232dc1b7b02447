package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Says that the checkouts whose names begin with its name belong to a provider that is
 * alive: the file is locked for as long as that is so. A lock, unlike the number of a
 * process, also tells between machines in containers that share the directory.
 */
final class CheckoutClaim implements AutoCloseable {

	static final String SUFFIX = ".claim";

	private final Path file;

	private final FileChannel channel;

	private CheckoutClaim(Path file, FileChannel channel) {
		this.file = file;
		this.channel = channel;
	}

	static CheckoutClaim make(Path directory) throws IOException {
		String name = thisProcess() + UUID.randomUUID().toString().substring(0, 8);
		Path file = directory.resolve(name + SUFFIX);
		FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
		try {
			channel.lock();
			return new CheckoutClaim(file, channel);
		}
		catch (IOException | RuntimeException ex) {
			channel.close();
			throw ex;
		}
	}

	/**
	 * Returns what the names of all claims of this process begin with. They are never
	 * opened here, as closing a file gives up every lock that a process has on it.
	 */
	static String thisProcess() {
		ProcessHandle process = ProcessHandle.current();
		return process.pid() + "-" + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L) + "-";
	}

	/**
	 * Takes over the claim of a dead provider.
	 * @return what to close when nothing of it is left; null if the provider is alive
	 */
	static @Nullable CheckoutClaim takeOver(Path file) throws IOException {
		if (file.getFileName().toString().startsWith(thisProcess())) {
			return null;
		}
		FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
		FileLock lock = null;
		try {
			lock = channel.tryLock();
			return (lock != null) ? new CheckoutClaim(file, channel) : null;
		}
		catch (OverlappingFileLockException ex) {
			return null; // another provider of this process sweeps just now
		}
		finally {
			if (lock == null) {
				channel.close();
			}
		}
	}

	String name() {
		String file = this.file.getFileName().toString();
		return file.substring(0, file.length() - SUFFIX.length());
	}

	@Override
	public void close() throws IOException {
		Files.deleteIfExists(this.file);
		this.channel.close();
	}

}

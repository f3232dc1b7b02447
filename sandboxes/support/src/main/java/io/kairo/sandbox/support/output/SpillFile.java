package io.kairo.sandbox.support.output;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A file without a name, appended to by one thread at a time and read by any number of
 * threads. The file is deleted as soon as it is open, so that a crash leaves nothing
 * behind. On systems that cannot delete an open file, it is deleted when it is closed.
 * <p>
 * Not a {@code FileChannel}, since that closes itself when a thread that uses it is
 * interrupted, and readers run code of subscribers. Reader and writer have separate
 * descriptors, so that a reader does not block the writer.
 */
final class SpillFile implements Closeable {

	/** Frames up to this size are written with one system call. */
	private static final int COMBINED = 8 * 1024;

	private final RandomAccessFile writer;

	private final RandomAccessFile reader;

	private final @Nullable Path leftover;

	private final ReentrantLock reading = new ReentrantLock();

	private final byte[] combined = new byte[COMBINED];

	SpillFile(Path path) throws IOException {
		File file = path.toFile();
		this.writer = new RandomAccessFile(file, "rw");
		try {
			this.reader = new RandomAccessFile(file, "r");
		}
		catch (IOException ex) {
			this.writer.close();
			throw ex;
		}
		this.leftover = file.delete() ? null : path;
	}

	static SpillFile create(PrivateDirectory directory) throws IOException {
		Path path = directory.newPath("output");
		Files.createFile(path, OwnerOnly.file(path));
		return new SpillFile(path);
	}

	/**
	 * Appends a header and data.
	 */
	void append(byte[] header, byte[] data, int offset, int length) throws IOException {
		if (header.length + length <= COMBINED) {
			System.arraycopy(header, 0, this.combined, 0, header.length);
			System.arraycopy(data, offset, this.combined, header.length, length);
			this.writer.write(this.combined, 0, header.length + length);
		}
		else {
			this.writer.write(header);
			this.writer.write(data, offset, length);
		}
	}

	int read(long position, byte[] target, int length) throws IOException {
		this.reading.lock();
		try {
			this.reader.seek(position);
			return Math.max(0, this.reader.read(target, 0, length));
		}
		finally {
			this.reading.unlock();
		}
	}

	void clear() throws IOException {
		this.writer.setLength(0);
		this.writer.seek(0);
	}

	@Override
	public void close() throws IOException {
		this.reading.lock();
		try (this.writer; this.reader) {
			if (this.leftover != null) {
				this.leftover.toFile().deleteOnExit();
			}
		}
		finally {
			this.reading.unlock();
		}
		if (this.leftover != null) {
			Files.deleteIfExists(this.leftover);
		}
	}

}

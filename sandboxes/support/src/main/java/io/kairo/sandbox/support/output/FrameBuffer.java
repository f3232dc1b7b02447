package io.kairo.sandbox.support.output;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A sequence of frames, each with a four-byte header (channel and length) followed by
 * bytes of output, in memory up to a limit and in a file beyond it. One thread appends at
 * a time. Readers need no lock, since data below {@link #size()} does not change until
 * {@link #clear()}.
 */
final class FrameBuffer {

	/** Size of the header of a frame, in bytes. */
	static final int HEADER = 4;

	/** Maximum output in one frame, in bytes. */
	static final int MAX_PAYLOAD = 32 * 1024;

	private static final Logger logger = System.getLogger(FrameBuffer.class.getName());

	private static final int BLOCK = 8 * 1024;

	private final int memoryLimit;

	private final Spill spill;

	private final byte[] header = new byte[HEADER];

	private volatile byte @Nullable [] @Nullable [] blocks;

	private volatile @Nullable SpillFile file;

	private volatile long fileStart = Long.MAX_VALUE;

	private volatile long size;

	/**
	 * Creates an empty buffer.
	 * @param memoryLimit maximum number of bytes in memory, a multiple of 8 KiB
	 * @param spill opens the file for the rest
	 */
	FrameBuffer(int memoryLimit, Spill spill) {
		this.memoryLimit = memoryLimit;
		this.spill = spill;
		this.blocks = new byte[memoryLimit / BLOCK][];
	}

	/**
	 * Returns the position behind the last frame.
	 */
	long size() {
		return this.size;
	}

	boolean holdsFile() {
		return this.file != null;
	}

	/**
	 * Appends a frame.
	 * @return false if it could not be written; nothing may be appended afterwards
	 */
	boolean append(OutputChannel channel, byte[] data, int offset, int length) {
		long end = this.size + HEADER + length;
		this.header[0] = channel.code();
		this.header[1] = (byte) (length >> 16);
		this.header[2] = (byte) (length >> 8);
		this.header[3] = (byte) length;
		if (end <= this.memoryLimit && this.fileStart == Long.MAX_VALUE) {
			toMemory(this.size, this.header, 0, HEADER);
			toMemory(this.size + HEADER, data, offset, length);
		}
		else if (!toFile(data, offset, length)) {
			return false;
		}
		this.size = end;
		return true;
	}

	/**
	 * Reads data from a position on.
	 * @return the number of bytes, less than the target holds only where memory or the
	 * buffer ends; 0 at the end and after {@link #release()}
	 */
	int read(long position, byte[] target) throws IOException {
		long end = this.size;
		long split = this.fileStart;
		if (position >= end) {
			return 0;
		}
		if (position < split) {
			return fromMemory((int) position, target, (int) Math.min(target.length, Math.min(end, split) - position));
		}
		SpillFile source = this.file;
		return (source != null) ? source.read(position - split, target, (int) Math.min(target.length, end - position))
				: 0;
	}

	/**
	 * Discards all frames. Must not be called while a reader is active.
	 * @return false if this failed; nothing may be appended afterwards
	 */
	boolean clear() {
		this.size = 0;
		this.fileStart = Long.MAX_VALUE;
		try {
			if (this.file != null) {
				this.file.clear();
			}
			return true;
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Output is discarded because a file cannot be written", ex);
			return false;
		}
	}

	/**
	 * Releases memory and file. Readers then reach the end or fail with an
	 * {@link IOException}.
	 */
	void release() {
		this.blocks = null;
		try (SpillFile closing = this.file) {
			this.file = null;
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A file with output could not be closed", ex);
		}
	}

	private boolean toFile(byte[] data, int offset, int length) {
		try {
			SpillFile target = this.file;
			if (target == null) {
				target = this.spill.open();
				this.file = target;
			}
			if (this.fileStart == Long.MAX_VALUE) {
				this.fileStart = this.size;
			}
			target.append(this.header, data, offset, length);
			return true;
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Output is discarded because a file cannot be written", ex);
			return false;
		}
	}

	private void toMemory(long position, byte[] data, int offset, int length) {
		byte @Nullable [] @Nullable [] target = this.blocks;
		int at = (int) position;
		int from = offset;
		while (target != null && from < offset + length) {
			byte[] block = target[at / BLOCK];
			if (block == null) {
				block = new byte[BLOCK];
				target[at / BLOCK] = block;
			}
			int count = Math.min(offset + length - from, BLOCK - at % BLOCK);
			System.arraycopy(data, from, block, at % BLOCK, count);
			at += count;
			from += count;
		}
	}

	private int fromMemory(int position, byte[] target, int length) {
		byte @Nullable [] @Nullable [] source = this.blocks;
		if (source == null) {
			return 0;
		}
		int copied = 0;
		while (copied < length) {
			int at = position + copied;
			byte[] block = Objects.requireNonNull(source[at / BLOCK]);
			int count = Math.min(length - copied, BLOCK - at % BLOCK);
			System.arraycopy(block, at % BLOCK, target, copied, count);
			copied += count;
		}
		return copied;
	}

	/**
	 * Opens the file for frames that do not fit into memory.
	 */
	@FunctionalInterface
	interface Spill {

		SpillFile open() throws IOException;

	}

}

package io.kairo.sandbox.support.output;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.kairo.api.sandbox.SandboxOutputChunk;
import org.jspecify.annotations.Nullable;

/**
 * The position of one reader in a {@link RetainedOutput}. For use by one thread.
 */
final class OutputCursor {

	private static final int WINDOW = FrameBuffer.HEADER + FrameBuffer.MAX_PAYLOAD;

	private final RetainedOutput output;

	private long position;

	private long excess;

	private byte[] window = new byte[0];

	private int start;

	private int end;

	OutputCursor(RetainedOutput output) {
		this.output = output;
	}

	/**
	 * Returns the position of the next frame.
	 */
	long position() {
		return this.position;
	}

	/**
	 * Returns the next chunk: all available frames of one channel up to a limit.
	 * @param limit maximum size of the chunk in bytes, exceeded only by a single frame
	 * @return the chunk, or null if no output is available
	 */
	@Nullable SandboxOutputChunk next(int limit) {
		while (completeFrame(this.start) || load()) {
			int length = payload(this.start);
			if (this.excess < length) {
				return take(limit);
			}
			this.excess -= length;
			advance(length);
		}
		return null;
	}

	private SandboxOutputChunk take(int limit) {
		int skipped = (int) this.excess;
		this.excess = 0;
		byte channel = this.window[this.start];
		int size = payload(this.start) - skipped;
		int next = this.start + FrameBuffer.HEADER + payload(this.start);
		while (completeFrame(next) && this.window[next] == channel && size + payload(next) <= limit) {
			size += payload(next);
			next += FrameBuffer.HEADER + payload(next);
		}
		byte[] data = new byte[size];
		int copied = 0;
		while (this.start < next) {
			int length = payload(this.start);
			int count = length - skipped;
			System.arraycopy(this.window, this.start + FrameBuffer.HEADER + skipped, data, copied, count);
			copied += count;
			skipped = 0;
			advance(length);
		}
		return OutputChannel.chunk(channel, data);
	}

	private void advance(int length) {
		this.start += FrameBuffer.HEADER + length;
		this.position += FrameBuffer.HEADER + length;
	}

	private boolean load() {
		long available = this.output.end() - this.position;
		if (available <= 0) {
			return false;
		}
		long excessHere = this.output.excessAt(this.position);
		if (excessHere > 0) {
			this.excess = excessHere;
		}
		if (this.window.length < Math.min(WINDOW, available)) {
			this.window = new byte[(int) Math.min(WINDOW, available)];
		}
		this.start = 0;
		try {
			this.end = this.output.readFrames(this.position, this.window);
		}
		catch (IOException ex) {
			this.end = 0;
			if (this.output.end() > 0) {
				throw new UncheckedIOException("Output could not be read back", ex);
			}
		}
		return completeFrame(0);
	}

	private boolean completeFrame(int at) {
		return this.end - at >= FrameBuffer.HEADER && this.end - at - FrameBuffer.HEADER >= payload(at);
	}

	private int payload(int at) {
		int length = ((this.window[at + 1] & 0xff) << 16) | ((this.window[at + 2] & 0xff) << 8)
				| (this.window[at + 3] & 0xff);
		if (!OutputChannel.isCode(this.window[at]) || length == 0 || length > FrameBuffer.MAX_PAYLOAD) {
			throw new IllegalStateException("No frame of output found at " + this.position);
		}
		return length;
	}

}

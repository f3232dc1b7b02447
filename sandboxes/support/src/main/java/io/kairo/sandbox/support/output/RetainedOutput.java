package io.kairo.sandbox.support.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The retained part of an output: the first bytes and then the last bytes beyond them, as
 * one sequence of frames. One thread at a time appends, seals and releases; readers need
 * no lock. The last bytes become part of the sequence when it is sealed.
 */
final class RetainedOutput {

	private static final int HEAD_MEMORY = 192 * 1024;

	private final long headLimit;

	private final FrameBuffer head;

	private final OutputTail tail;

	private boolean headOpen = true;

	private volatile long total;

	private long headBytes;

	private volatile long discarded;

	private volatile long excess;

	private volatile boolean headFailed;

	private volatile List<FrameBuffer> sections;

	/**
	 * Creates an empty sequence.
	 * @param first number of first bytes to keep, above zero
	 * @param last number of last bytes to keep beyond those, at least 0
	 * @param spill opens files for output that is not kept in memory
	 */
	RetainedOutput(long first, long last, FrameBuffer.Spill spill) {
		if (first <= 0 || last < 0) {
			throw new IllegalArgumentException("Cannot keep the first " + first + " and the last " + last
					+ " bytes: the first must be above zero and the last at least 0");
		}
		this.headLimit = first;
		this.head = new FrameBuffer(HEAD_MEMORY, spill);
		this.tail = new OutputTail(last, spill);
		this.sections = List.of(this.head);
	}

	void append(OutputChannel channel, byte[] data, int offset, int length) {
		int done = 0;
		while (done < length) {
			done += appendSome(channel, data, offset + done, Math.min(length - done, FrameBuffer.MAX_PAYLOAD));
		}
		count(length);
	}

	/**
	 * Counts bytes that are never appended.
	 */
	void skip(long bytes, boolean storageFailed) {
		count(bytes);
		this.headFailed |= storageFailed;
	}

	private void count(long bytes) {
		long sum = this.total + bytes;
		this.total = sum;
		this.discarded = sum - this.headBytes - this.tail.retained();
	}

	/**
	 * Appends the last bytes to the first. Nothing may be appended afterwards.
	 */
	void seal() {
		this.excess = this.tail.excess();
		this.sections = allSections();
	}

	/**
	 * Releases memory and files. Readers then reach the end.
	 */
	void release() {
		this.sections = List.of();
		allSections().forEach(FrameBuffer::release);
	}

	/**
	 * Counts all output as discarded before it is released unread.
	 */
	void discardAll() {
		this.discarded = this.total;
	}

	/**
	 * Returns the number of all bytes.
	 */
	long total() {
		return this.total;
	}

	/**
	 * Returns the number of bytes that were neither among the first nor among the last
	 * bytes.
	 */
	long discarded() {
		return this.discarded;
	}

	/**
	 * Returns whether output was discarded because it could not be stored.
	 */
	boolean storageFailed() {
		return this.headFailed || this.tail.storageFailed();
	}

	/**
	 * Returns whether the output holds open files.
	 */
	boolean holdsFiles() {
		return this.sections.stream().anyMatch(FrameBuffer::holdsFile);
	}

	/**
	 * Returns the number of bytes to skip at a position: the excess of the two segments
	 * of the tail is at the beginning of the tail.
	 */
	long excessAt(long position) {
		return (position == this.head.size()) ? this.excess : 0;
	}

	/**
	 * Reads frames. The last one may be incomplete.
	 * @return the number of bytes; 0 if none are available
	 */
	int readFrames(long position, byte[] target) throws IOException {
		long offset = position;
		for (FrameBuffer section : this.sections) {
			long size = section.size();
			if (offset < size) {
				return section.read(offset, target);
			}
			offset -= size;
		}
		return 0;
	}

	/**
	 * Returns the position behind the last frame.
	 */
	long end() {
		long end = 0;
		for (FrameBuffer section : this.sections) {
			end += section.size();
		}
		return end;
	}

	private int appendSome(OutputChannel channel, byte[] data, int offset, int length) {
		if (this.headOpen) {
			int count = (int) Math.min(length, this.headLimit - this.headBytes);
			if (this.head.append(channel, data, offset, count)) {
				this.headBytes += count;
				this.headOpen = this.headBytes < this.headLimit;
				return count;
			}
			this.headOpen = false;
			this.headFailed = true;
		}
		return this.tail.append(channel, data, offset, length);
	}

	private List<FrameBuffer> allSections() {
		List<FrameBuffer> all = new ArrayList<>(List.of(this.head));
		all.addAll(this.tail.sections());
		return all;
	}

}

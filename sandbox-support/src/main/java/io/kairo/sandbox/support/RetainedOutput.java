package io.kairo.sandbox.support;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is kept of an output: the first bytes, then the last ones beyond them, as one
 * sequence of frames. One thread at a time appends, seals and releases; readers need no
 * lock. The last bytes become part of the sequence when it is sealed.
 */
final class RetainedOutput {

	private static final int HEAD_MEMORY = 192 * 1024;

	private final long headLimit;

	private final FrameBuffer head;

	private final OutputTail tail;

	private boolean headOpen = true;

	private long total;

	private long headBytes;

	private volatile long discarded;

	private volatile long excess;

	private volatile boolean headFailed;

	private volatile List<FrameBuffer> sections;

	/**
	 * Creates an empty sequence.
	 * @param first how many of the first bytes are kept, above zero
	 * @param last how many of the last bytes are kept beyond those, at least 0
	 * @param spill where goes what is not kept in memory
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
		this.total += length;
		this.discarded = this.total - this.headBytes - this.tail.retained();
	}

	/**
	 * Puts the last bytes behind the first. Nothing may be appended afterwards.
	 */
	void seal() {
		this.excess = this.tail.excess();
		this.sections = allSections();
	}

	/**
	 * Frees memory and files. Readers find the end from then on.
	 */
	void release() {
		this.sections = List.of();
		allSections().forEach(FrameBuffer::release);
	}

	/**
	 * Returns how many bytes were neither among the first nor among the last.
	 */
	long discarded() {
		return this.discarded;
	}

	/**
	 * Returns whether something was discarded since it could not be stored.
	 */
	boolean storageFailed() {
		return this.headFailed || this.tail.storageFailed();
	}

	/**
	 * Returns whether this holds open files, and not only memory.
	 */
	boolean holdsFiles() {
		return this.sections.stream().anyMatch(FrameBuffer::holdsFile);
	}

	/**
	 * Returns how many bytes are to be left out at a position: what the two segments of
	 * the tail hold too much is at the beginning of the tail.
	 */
	long excessAt(long position) {
		return (position == this.head.size()) ? this.excess : 0;
	}

	/**
	 * Reads frames, the last of which may be incomplete.
	 * @return the number of bytes; 0 if there is nothing
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

package io.kairo.sandbox.support.output;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.kairo.api.sandbox.SandboxOutputChunk;

/**
 * A simple model of an {@link OutputLog} that computes the bytes to retain from all
 * output. Each byte is preceded by the code of its channel, so that two sequences can be
 * compared as arrays.
 */
class LogOracle {

	private final ByteArrayOutputStream everything = new ByteArrayOutputStream();

	void append(OutputChannel channel, byte[] data, int offset, int length) {
		for (int i = offset; i < offset + length; i++) {
			this.everything.write(channel.code());
			this.everything.write(data[i]);
		}
	}

	byte[] retained(long head, long tail) {
		byte[] all = this.everything.toByteArray();
		long total = all.length / 2;
		int first = (int) Math.min(head, total);
		int last = (int) Math.min(tail, total - first);
		byte[] retained = Arrays.copyOf(all, (first + last) * 2);
		System.arraycopy(all, all.length - last * 2, retained, first * 2, last * 2);
		return retained;
	}

	long discarded(long head, long tail) {
		return this.everything.size() / 2 - retained(head, tail).length / 2;
	}

	static byte[] tagged(List<SandboxOutputChunk> chunks) {
		LogOracle oracle = new LogOracle();
		for (SandboxOutputChunk chunk : chunks) {
			boolean error = chunk instanceof SandboxOutputChunk.Stderr;
			oracle.append(error ? OutputChannel.STDERR : OutputChannel.STDOUT, chunk.data(), 0, chunk.data().length);
		}
		return oracle.everything.toByteArray();
	}

	static List<SandboxOutputChunk> all(OutputLog log, int mostBytes) {
		List<SandboxOutputChunk> chunks = new ArrayList<>();
		OutputCursor cursor = new OutputCursor(log.retained());
		for (SandboxOutputChunk next = cursor.next(mostBytes); next != null; next = cursor.next(mostBytes)) {
			chunks.add(next);
		}
		return chunks;
	}

}

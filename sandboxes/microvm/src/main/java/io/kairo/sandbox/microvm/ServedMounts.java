package io.kairo.sandbox.microvm;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The mounts of the file server of a running machine. If a file or directory is removed
 * on the host, the kernel unmounts everything mounted on it, also in the file server: a
 * machine whose mounts are not complete any more must not run another command. Safe for
 * use by several threads.
 */
final class ServedMounts implements Closeable {

	private static final int CHUNK = 64 * 1024;

	private static final int MOST_BYTES = 16 << 20;

	private final RandomAccessFile table;

	private final List<String> lines;

	private ServedMounts(RandomAccessFile table, List<String> lines) {
		this.table = table;
		this.lines = List.copyOf(lines);
	}

	/**
	 * Opens the mount table of a file server that is connected.
	 * @param server the process that confines it
	 * @param lines lines that the table has to have
	 * @throws IOException if there is none, or it cannot be read
	 */
	static ServedMounts of(ProcessHandle server, List<String> lines) throws IOException {
		// one process of it waits for the other, in a mount namespace of its own; a
		// process that has mounted may not have disappeared yet
		List<ProcessHandle> candidates = server.descendants()
			.filter((process) -> process.children().findAny().isEmpty())
			.toList();
		for (ProcessHandle candidate : candidates) {
			try {
				ServedMounts mounts = new ServedMounts(
						new RandomAccessFile("/proc/" + candidate.pid() + "/mountinfo", "r"), lines);
				if (candidates.size() == 1 || mounts.areComplete()) {
					return mounts;
				}
				mounts.close();
			}
			catch (FileNotFoundException ex) {
				// it has disappeared by now
			}
		}
		throw new IOException("The file server of a virtual machine has ended, or serves other directories");
	}

	/**
	 * Returns whether everything is mounted that has to be.
	 */
	boolean areComplete() {
		try {
			String table = read();
			return this.lines.stream().allMatch((line) -> table.contains(" " + line + " "));
		}
		catch (IOException ex) {
			return false;
		}
	}

	private synchronized String read() throws IOException {
		this.table.seek(0);
		byte[] bytes = new byte[CHUNK];
		int length = 0;
		for (int count = 0; count >= 0 && length < MOST_BYTES; length += Math.max(count, 0)) {
			if (length == bytes.length) {
				bytes = Arrays.copyOf(bytes, 2 * bytes.length);
			}
			count = this.table.read(bytes, length, bytes.length - length);
		}
		return new String(bytes, 0, length, StandardCharsets.UTF_8);
	}

	@Override
	public void close() throws IOException {
		this.table.close();
	}

}

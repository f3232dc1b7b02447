package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk without space, until it is closed.
 *
 * @param files what fills it
 */
record FilledDisk(List<Path> files) implements AutoCloseable {

	private static final int PAGE = 4096;

	/**
	 * Fills a disk but for some bytes.
	 */
	static FilledDisk leavingBytes(Path disk, long left) throws IOException {
		Path filler = Files.createTempFile(disk, "filler", "");
		try (RandomAccessFile file = new RandomAccessFile(filler.toFile(), "rw")) {
			byte[] page = new byte[PAGE];
			try {
				while (true) {
					file.write(page);
				}
			}
			catch (IOException ex) {
				file.setLength(Math.max(0, file.length() - left));
			}
		}
		return new FilledDisk(List.of(filler));
	}

	/**
	 * Takes all names but some, so that no more files or directories can be made.
	 */
	static FilledDisk leavingNames(Path disk, int left) throws IOException {
		List<Path> files = new ArrayList<>();
		try {
			while (true) {
				files.add(Files.createTempFile(disk, "filler", ""));
			}
		}
		catch (IOException ex) {
			for (int i = 0; i < left && !files.isEmpty(); i++) {
				Files.delete(files.remove(files.size() - 1));
			}
		}
		return new FilledDisk(files);
	}

	@Override
	public void close() throws IOException {
		for (Path file : this.files) {
			Files.deleteIfExists(file);
		}
	}

}

package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk without space, until it is closed. For small ones, as of {@link SmallDisk}.
 *
 * @param files what fills it
 * @since 0.1.0
 */
public record FilledDisk(List<Path> files) implements AutoCloseable {

	private static final int PAGE = 4096;

	/**
	 * Creates the value.
	 * @param files what fills it, copied
	 */
	public FilledDisk {
		files = List.copyOf(files);
	}

	/**
	 * Fills a disk but for some bytes.
	 * @param disk a directory of it
	 * @param left how many bytes are left, rounded up to whole pages
	 * @return what to close when there is to be space again
	 * @throws IOException if the file that fills it cannot be made
	 */
	public static FilledDisk leavingBytes(Path disk, long left) throws IOException {
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
	 * @param disk a directory of it
	 * @param left how many can be made
	 * @return what to close when there are to be names again
	 * @throws IOException if one cannot be given back
	 */
	public static FilledDisk leavingNames(Path disk, int left) throws IOException {
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

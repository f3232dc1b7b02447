package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk that is full until this is closed. For small disks, such as {@link SmallDisk}.
 *
 * @param files the files that fill it, copied
 */
public record FilledDisk(List<Path> files) implements AutoCloseable {

	private static final int BLOCK = 1 << 20;

	/**
	 * Creates the value.
	 */
	public FilledDisk {
		files = List.copyOf(files);
	}

	/**
	 * Fills a disk except for some bytes.
	 * @param disk a directory of the disk
	 * @param left number of bytes left, rounded up to whole pages
	 * @return the filled disk, to be closed to free the space
	 * @throws IOException if the file that fills it cannot be created
	 */
	public static FilledDisk leavingBytes(Path disk, long left) throws IOException {
		Path filler = Files.createTempFile(disk, "filler", "");
		try (RandomAccessFile file = new RandomAccessFile(filler.toFile(), "rw")) {
			byte[] block = new byte[BLOCK];
			try {
				while (true) {
					file.write(block);
				}
			}
			catch (IOException ex) {
				file.setLength(Math.max(0, file.length() - left));
			}
		}
		return new FilledDisk(List.of(filler));
	}

	/**
	 * Uses up the inodes of a disk except for some, so that no more files or directories
	 * can be created.
	 * @param disk a directory of the disk
	 * @param left number of inodes left
	 * @return the filled disk, to be closed to free the inodes
	 * @throws IOException if an inode cannot be freed
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

package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The size of a store against its limit. The store may grow meanwhile.
 *
 * @param store the store
 * @param bound maximum size of its objects, in bytes
 */
record StoreSize(Path store, long bound) {

	boolean isExceeded() throws IOException {
		return of(this.store) > this.bound;
	}

	/**
	 * Returns whether files need more than the available space. The program git reports
	 * only that it could not write a file, not that the disk is full.
	 */
	static boolean isMoreThanFits(long bytes, Path directory) {
		try {
			return Files.getFileStore(directory).getUsableSpace() < bytes;
		}
		catch (IOException ex) {
			return false;
		}
	}

	static long of(Path store) throws IOException {
		AtomicLong sum = new AtomicLong();
		Files.walkFileTree(store.resolve("objects"), new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				sum.addAndGet(attributes.size());
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path file, IOException ex) {
				return FileVisitResult.CONTINUE; // temporary files come and go
			}

		});
		return sum.get();
	}

}

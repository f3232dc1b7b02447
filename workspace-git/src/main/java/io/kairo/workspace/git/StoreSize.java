package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds up what a store takes up, while it grows.
 *
 * @param store the store
 * @param bound how many bytes it may take up
 */
record StoreSize(Path store, long bound) {

	boolean isExceeded() throws IOException {
		return of(this.store) > this.bound;
	}

	/**
	 * Returns whether files need more than the space that is left. Of one that it could
	 * not write to its end, the program git says no more than that.
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

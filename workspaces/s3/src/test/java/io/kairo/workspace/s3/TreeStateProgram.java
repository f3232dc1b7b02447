package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Changes the state of a few files again and again, and prints the number of each change
 * that was made, until it is killed.
 */
final class TreeStateProgram {

	private TreeStateProgram() {
	}

	/**
	 * Runs the program.
	 * @param arguments the file of the state
	 * @throws IOException if it cannot be used
	 */
	public static void main(String[] arguments) throws IOException {
		try (TreeState state = new TreeState(Path.of(arguments[0]))) {
			for (int i = 0; true; i++) {
				state.version("file-" + i % 3, new BaseVersion("etag", i, Instant.EPOCH, true, null, null));
				System.out.println(i);
			}
		}
	}

}

package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A step on the disk.
 *
 * @param file its file
 * @param time when it ended
 * @param needed whether a checkpoint needs it
 * @param bytes the size of its file
 * @param contents the hashes of the contents that it needs
 */
record KeptStep(Path file, Instant time, boolean needed, long bytes, Set<String> contents) {

	static KeptStep of(Path file, Step step, boolean needed) throws IOException {
		Set<String> contents = new HashSet<>();
		for (Delta delta : step.deltas()) {
			add(delta.before(), contents);
			add(delta.after(), contents);
		}
		return new KeptStep(file, step.time(), needed, Files.size(file), contents);
	}

	private static void add(@Nullable Node node, Set<String> contents) {
		if (node != null && node.content() != null) {
			contents.add(node.content());
		}
	}

}

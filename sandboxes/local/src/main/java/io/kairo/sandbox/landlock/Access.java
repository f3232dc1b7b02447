package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;

/**
 * The directories that a command can access, and how. Equal only if the directories are
 * the same, not just their paths: rules hold for a directory, wherever it is moved.
 *
 * @param roots the directories
 * @param identities their identities
 * @param readOnly whether the command may change no file
 * @param network whether the command has the network of the host
 */
record Access(Roots roots, List<Object> identities, boolean readOnly, boolean network) {

	/**
	 * Creates the value.
	 * @throws IOException if a directory does not exist any more
	 */
	static Access of(Roots roots, boolean readOnly, boolean network) throws IOException {
		List<Object> identities = new ArrayList<>();
		for (Root root : roots.all()) {
			identities.add(Objects.requireNonNull(
					Files.readAttributes(root.source(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey(),
					"fileKey"));
		}
		return new Access(roots, identities, readOnly, network);
	}

}

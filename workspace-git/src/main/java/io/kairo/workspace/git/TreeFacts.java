package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ObjectStream;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * What is known of the files of a commit before they are written.
 *
 * @param bytes how many bytes they have
 * @param submodules how many other repositories belong among them
 * @param pointers how many of them stand for files that Git LFS has elsewhere
 */
record TreeFacts(long bytes, int submodules, int pointers) {

	/** No more of attributes is read. */
	private static final int MAX_ATTRIBUTES = 1 << 16;

	/** A pointer is shorter. */
	private static final int MAX_POINTER = 1024;

	private static final byte[] POINTER = "version https://git-lfs.github.com/spec/"
		.getBytes(StandardCharsets.US_ASCII);

	/**
	 * Adds up the files of a commit.
	 * @param bound where to stop
	 */
	static TreeFacts of(Path store, String commit, long bound) throws IOException {
		try (Repository repository = new IsolatedRepository(store, null);
				ObjectReader reader = repository.newObjectReader();
				RevWalk commits = new RevWalk(reader);
				TreeWalk walk = new TreeWalk(reader)) {
			walk.addTree(commits.parseCommit(ObjectId.fromString(commit)).getTree());
			walk.setRecursive(true);
			long bytes = 0;
			int submodules = 0;
			boolean lfs = false;
			List<ObjectId> small = new ArrayList<>();
			while (bytes <= bound && walk.next()) {
				if (FileMode.GITLINK.equals(walk.getRawMode(0))) {
					submodules++;
				}
				else {
					ObjectId id = walk.getObjectId(0);
					long size = reader.getObjectSize(id, Constants.OBJ_BLOB);
					bytes += size;
					if (walk.getNameString().equals(Constants.DOT_GIT_ATTRIBUTES)) {
						lfs |= startsLfs(reader, id);
					}
					else if (size >= POINTER.length && size < MAX_POINTER) {
						small.add(id);
					}
				}
			}
			return new TreeFacts(bytes, submodules, lfs ? pointers(reader, small) : 0);
		}
	}

	/**
	 * Returns whether attributes name the filter of Git LFS. Where none do, no file has
	 * to be looked into.
	 */
	private static boolean startsLfs(ObjectReader reader, ObjectId attributes) throws IOException {
		return new String(beginning(reader, attributes, MAX_ATTRIBUTES), StandardCharsets.UTF_8).contains("filter=lfs");
	}

	private static int pointers(ObjectReader reader, List<ObjectId> files) throws IOException {
		int pointers = 0;
		for (ObjectId file : files) {
			pointers += Arrays.equals(beginning(reader, file, POINTER.length), POINTER) ? 1 : 0;
		}
		return pointers;
	}

	private static byte[] beginning(ObjectReader reader, ObjectId file, int length) throws IOException {
		try (ObjectStream stream = reader.open(file, Constants.OBJ_BLOB).openStream()) {
			return stream.readNBytes(length);
		}
	}

}

package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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
 * The measures of the files of a commit, taken before they are written.
 *
 * @param bytes the sum of their sizes, in bytes
 * @param submodules the number of submodules
 * @param pointers the number of files that are pointers of Git LFS
 */
record TreeFacts(long bytes, int submodules, int pointers) {

	/** Maximum number of bytes read of a file of attributes. */
	private static final int MAX_ATTRIBUTES = 1 << 16;

	/** Upper bound, exclusive, of the size of a pointer, in bytes. */
	private static final int MAX_POINTER = 1024;

	private static final String POINTER = "version https://git-lfs.github.com/spec/";

	/**
	 * Measures the files of a commit.
	 * @param bound the number of bytes to stop at
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
					else if (size >= POINTER.length() && size < MAX_POINTER) {
						small.add(id);
					}
				}
			}
			return new TreeFacts(bytes, submodules, lfs ? pointers(reader, small) : 0);
		}
	}

	/**
	 * Returns whether attributes name the filter of Git LFS. If none do, no file has to
	 * be read.
	 */
	private static boolean startsLfs(ObjectReader reader, ObjectId attributes) throws IOException {
		return beginning(reader, attributes, MAX_ATTRIBUTES).contains("filter=lfs");
	}

	private static int pointers(ObjectReader reader, List<ObjectId> files) throws IOException {
		int pointers = 0;
		for (ObjectId file : files) {
			pointers += beginning(reader, file, POINTER.length()).equals(POINTER) ? 1 : 0;
		}
		return pointers;
	}

	private static String beginning(ObjectReader reader, ObjectId file, int length) throws IOException {
		try (ObjectStream stream = reader.open(file, Constants.OBJ_BLOB).openStream()) {
			return new String(stream.readNBytes(length), StandardCharsets.ISO_8859_1);
		}
	}

}

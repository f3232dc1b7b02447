package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Path;

import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * What is known of the files of a commit before they are written.
 *
 * @param bytes how many bytes they have
 * @param submodules how many other repositories belong among them
 */
record TreeFacts(long bytes, int submodules) {

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
			while (bytes <= bound && walk.next()) {
				if (FileMode.GITLINK.equals(walk.getRawMode(0))) {
					submodules++;
				}
				else {
					bytes += reader.getObjectSize(walk.getObjectId(0), Constants.OBJ_BLOB);
				}
			}
			return new TreeFacts(bytes, submodules);
		}
	}

}

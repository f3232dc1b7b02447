package io.kairo.workspace.git;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

import org.eclipse.jgit.api.AddCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;

/**
 * Takes the files of a checkout, as they are now, into this provider's index of it.
 */
final class StagedFiles {

	private StagedFiles() {
	}

	/**
	 * Adds what is new and not ignored, updates what is changed and removes what is gone.
	 * @return the tree of all of it
	 */
	static ObjectId tree(Repository repository, ConfinedTree files) throws IOException {
		DirCache before = repository.readDirCache();
		Map<String, ObjectId> submodules = new HashMap<>();
		for (int i = 0; i < before.getEntryCount(); i++) {
			DirCacheEntry entry = before.getEntry(i);
			if (FileMode.GITLINK.equals(entry.getRawMode())) {
				submodules.put(entry.getPathString(), entry.getObjectId());
			}
		}
		try {
			DirCache staged = new AddCommand(repository).addFilepattern(".")
				.setAll(true)
				.setWorkingTreeIterator(new ConfinedTreeIterator(repository, files, submodules))
				.call();
			try (ObjectInserter inserter = repository.newObjectInserter()) {
				ObjectId tree = staged.writeTree(inserter);
				inserter.flush();
				return tree;
			}
		}
		catch (GitAPIException ex) {
			throw new IOException(ex);
		}
	}

}

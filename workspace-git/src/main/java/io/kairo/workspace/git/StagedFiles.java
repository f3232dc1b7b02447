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
 * Stages the current files of a checkout in the index that belongs to the provider.
 */
final class StagedFiles {

	private StagedFiles() {
	}

	/**
	 * Adds new files that are not ignored, updates changed ones and removes deleted ones.
	 * @return the id of the staged tree
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

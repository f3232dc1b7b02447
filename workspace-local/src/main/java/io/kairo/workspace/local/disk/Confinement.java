package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.path.RootSet;

/**
 * The limits of a descent.
 *
 * @param roots the roots that it may reach
 * @param hidden the directory that is hidden from it
 * @param opener opens the directories in which it starts
 * @param matching decides which entry a name denotes
 */
record Confinement(RootSet roots, HiddenDirectory hidden, DirectoryOpener opener, NameMatching matching) {

	/**
	 * Finds the name of the entry that a name denotes.
	 * @return the name of the entry, or the given name if there is no such entry
	 */
	Path nameIn(OpenDirectory directory, Path name) throws IOException, RefusedException {
		return (this.matching == NameMatching.CASE_INSENSITIVE) ? FoldedNames.find(directory, name, this.hidden) : name;
	}

}

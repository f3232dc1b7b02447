package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.workspace.disk.handle.DirectoryOpener;
import io.kairo.workspace.disk.handle.OpenDirectory;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.path.RootSet;

/**
 * What a descent may reach.
 *
 * @param roots where it may go
 * @param hidden what it does not see
 * @param opener opens what it starts from
 * @param matching which entry a name means
 */
record Confinement(RootSet roots, HiddenDirectory hidden, DirectoryOpener opener, NameMatching matching) {

	/**
	 * Finds the name that an entry has which another name means.
	 * @return the name, whether there is such an entry or not
	 */
	Path nameIn(OpenDirectory directory, Path name) throws IOException, RefusedException {
		return (this.matching == NameMatching.CASE_INSENSITIVE) ? FoldedNames.find(directory, name, this.hidden) : name;
	}

}

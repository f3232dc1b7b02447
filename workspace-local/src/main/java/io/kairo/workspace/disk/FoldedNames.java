package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.disk.handle.OpenDirectory;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PortableName;

/**
 * Finds the entry of a directory that a name means under
 * {@link NameMatching#CASE_INSENSITIVE}. A directory is only gone through where nothing
 * has exactly the name.
 */
final class FoldedNames {

	/** How many names a message shows. */
	private static final int SHOWN = 3;

	private FoldedNames() {
	}

	/**
	 * Finds the name that an entry has.
	 * @param directory the directory, left as it is
	 * @param name what is looked for
	 * @param hidden what is not there
	 * @return the name of the entry, or what was looked for if there is none
	 * @throws RefusedException if several entries could be meant
	 */
	static Path find(OpenDirectory directory, Path name, HiddenDirectory hidden) throws IOException, RefusedException {
		if (directory.find(name) != null) {
			return name;
		}
		List<Path> found = new ArrayList<>();
		String folded = PortableName.fold(name.toString());
		try (OpenDirectory again = directory.directory(directory.path().getFileSystem().getPath("."))) {
			for (Iterator<Path> names = again.names(); names.hasNext();) {
				Path candidate = names.next();
				if (PortableName.fold(candidate.toString()).equals(folded)
						&& !hidden.is(directory.path().resolve(candidate))) {
					found.add(candidate);
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		if (found.size() > 1) {
			throw ambiguous(name, found);
		}
		return found.isEmpty() ? name : found.get(0);
	}

	private static RefusedException ambiguous(Path name, List<Path> found) {
		List<String> names = found.stream().map((path) -> WorkspacePath.quote(path.toString())).sorted().toList();
		String shown = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())));
		return RefusedException.of(WorkspaceErrorCode.AMBIGUOUS_PATH,
				"is ambiguous, as " + WorkspacePath.quote(name.toString()) + " could be " + shown
						+ ((names.size() > SHOWN) ? " and others" : "") + ": spell the name exactly");
	}

}

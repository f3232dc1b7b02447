package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.disk.handle.OpenDirectory;

/**
 * Finds the entry that a name denotes under {@link NameMatching#CASE_INSENSITIVE}. The
 * entries of a directory are only read if none has exactly the name.
 */
final class FoldedNames {

	/** Maximum number of names in a message. */
	private static final int SHOWN = 3;

	private FoldedNames() {
	}

	/**
	 * Finds the name of an entry.
	 * @param directory the directory; it is not consumed
	 * @param name the name to look for
	 * @param hidden the directory that is hidden
	 * @return the name of the entry, or the given name if there is no such entry
	 * @throws RefusedException if several entries match
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

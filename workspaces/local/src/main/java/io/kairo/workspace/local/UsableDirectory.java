package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a directory can be the root of a workspace.
 */
final class UsableDirectory {

	private UsableDirectory() {
	}

	/**
	 * Returns the real path of a readable directory.
	 */
	static Path real(Path directory) {
		return real(directory, directory.toString());
	}

	/**
	 * Returns the real path of a readable directory.
	 * @param directory the directory
	 * @param shown its name in messages, empty if none may be shown
	 */
	static Path real(Path directory, String shown) {
		try {
			Path real = directory.toRealPath();
			if (!Files.isDirectory(real)) {
				throw unusable(WorkspaceErrorCode.NOT_A_DIRECTORY, shown, "is not a directory", null);
			}
			if (!Files.isReadable(real)) {
				throw unusable(WorkspaceErrorCode.PERMISSION_DENIED, shown, "is not readable", null);
			}
			return real;
		}
		catch (NoSuchFileException ex) {
			throw unusable(WorkspaceErrorCode.FILE_NOT_FOUND, shown, "does not exist", null);
		}
		catch (IOException ex) {
			throw unusable(WorkspaceErrorCode.PERMISSION_DENIED, shown, "cannot be reached", ex);
		}
	}

	private static WorkspacePathException unusable(WorkspaceErrorCode code, String shown, String reason,
			@Nullable IOException cause) {
		return new WorkspacePathException(code,
				shown.isBlank()
						? "The directory of the workspace " + reason
								+ ": the operator of the application has to look at it"
						: "The workspace directory " + WorkspacePath.quote(shown) + " " + reason
								+ ": give a directory that exists and can be read",
				cause);
	}

	/**
	 * Checks that a path is below a directory. The refusal does not reveal whether the
	 * path exists.
	 */
	static void requireBelow(Path base, Path root, String hint) {
		Path realBase = real(base, hint);
		if (!(root.startsWith(base) || root.startsWith(realBase)) || !leadsBelow(realBase, root)) {
			throw new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, "The hint "
					+ WorkspacePath.quote(hint) + " leads out of the directory of the tenant: give a path below it");
		}
	}

	/**
	 * Returns whether a path is below a directory, or would be if it existed. A dangling
	 * link does not count, as its target could be anywhere.
	 */
	private static boolean leadsBelow(Path realBase, Path path) {
		for (Path above = path; above != null; above = above.getParent()) {
			try {
				return above.toRealPath().startsWith(realBase);
			}
			catch (IOException ex) {
				if (Files.isSymbolicLink(above)) {
					return false;
				}
			}
		}
		return false;
	}

}

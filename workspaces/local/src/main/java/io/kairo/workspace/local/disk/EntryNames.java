package io.kairo.workspace.local.disk;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.disk.handle.ListedEntry;
import io.kairo.workspace.local.path.PathGate;
import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Creates paths from the names of directory entries. A name may be unusable, as it may
 * contain bytes that are not text, control characters, or have no spelling under the
 * policy.
 */
final class EntryNames {

	private final PathGate gate;

	EntryNames(PathGate gate) {
		this.gate = gate;
	}

	/**
	 * Creates the path of an entry.
	 * @param directory the directory
	 * @param name the name in the file system
	 * @return the path, null if the name is unusable
	 */
	@Nullable WorkspacePath child(WorkspacePath directory, Path name) {
		String text = name.toString();
		return (isPlain(text) || isText(name, text)) ? child(directory, text) : null;
	}

	/**
	 * Creates the path of an entry.
	 * @param directory the directory
	 * @param entry the entry of the directory
	 * @return the path, null if the name is unusable
	 */
	@Nullable WorkspacePath child(WorkspacePath directory, ListedEntry entry) {
		String text = entry.name();
		return (isPlain(text) || (isWithoutControls(text) && entry.isText())) ? child(directory, text) : null;
	}

	private @Nullable WorkspacePath child(WorkspacePath directory, String name) {
		if (!this.gate.canSpell(name)) {
			return null;
		}
		WorkspacePath child = directory.child(name);
		return PathSyntax.isShort(child) ? child : null;
	}

	/**
	 * Returns whether a name may denote an entry, under the rules of any file system.
	 * @param name a name
	 * @param entry the name of the entry in the file system
	 */
	static boolean mayDenote(String name, String entry) {
		return entry.equalsIgnoreCase(name)
				|| (!isPlain(entry) && PortableName.fold(entry).equals(PortableName.fold(name)));
	}

	/**
	 * Returns whether a name consists of printable ASCII characters. These are the same
	 * in every encoding. Most names do.
	 */
	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
				return false;
			}
		}
		return true;
	}

	private static boolean isWithoutControls(String text) {
		return text.chars().noneMatch(Character::isISOControl);
	}

	private static boolean isText(Path name, String text) {
		try {
			return isWithoutControls(text) && name.getFileSystem().getPath(text).equals(name);
		}
		catch (InvalidPathException ex) {
			return false;
		}
	}

}

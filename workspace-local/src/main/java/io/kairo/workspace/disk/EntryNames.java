package io.kairo.workspace.disk;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.path.PathGate;
import io.kairo.workspace.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Makes paths of the names that a directory has. Not every name can be one: it may have
 * bytes that are no text, control characters, or no spelling under the policy.
 */
final class EntryNames {

	private final PathGate gate;

	EntryNames(PathGate gate) {
		this.gate = gate;
	}

	/**
	 * Makes the path of an entry.
	 * @param directory the directory
	 * @param name the name as the file system has it
	 * @return the path, null if there cannot be one
	 */
	@Nullable WorkspacePath child(WorkspacePath directory, Path name) {
		String text = name.toString();
		if (!(isPlain(text) || isText(name, text)) || !this.gate.canSpell(text)) {
			return null;
		}
		WorkspacePath child = directory.child(text);
		return PathSyntax.isShort(child) ? child : null;
	}

	/**
	 * Returns whether a name has only characters that stand for themselves in every
	 * encoding, as most have.
	 */
	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
				return false;
			}
		}
		return true;
	}

	private static boolean isText(Path name, String text) {
		try {
			return text.chars().noneMatch(Character::isISOControl) && name.getFileSystem().getPath(text).equals(name);
		}
		catch (InvalidPathException ex) {
			return false;
		}
	}

}

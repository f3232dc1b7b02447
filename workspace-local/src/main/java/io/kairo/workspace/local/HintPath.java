package io.kairo.workspace.local;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * Reads the path in a hint, with the bounds that the gate has for every other path.
 */
final class HintPath {

	private static final int MAX_NAME_BYTES = 255;

	private static final int MAX_BYTES = 4096;

	private HintPath() {
	}

	/**
	 * Reads a path.
	 * @param text what a hint says
	 * @return the path; nothing is looked at on the disk
	 * @throws WorkspacePathException if it cannot be one
	 */
	static Path parse(String text) {
		if (text.chars().anyMatch(Character::isISOControl)) {
			throw invalid(text, "has control characters");
		}
		try {
			Path path = Path.of(text);
			if (bytes(text) > MAX_BYTES) {
				throw invalid(text, "is longer than " + MAX_BYTES + " bytes");
			}
			for (Path name : path) {
				if (bytes(name.toString()) > MAX_NAME_BYTES) {
					throw invalid(text, "has a name longer than " + MAX_NAME_BYTES + " bytes");
				}
			}
			return path;
		}
		catch (InvalidPathException ex) {
			throw invalid(text, "cannot be a path");
		}
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	private static WorkspacePathException invalid(String text, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				"The hint " + WorkspacePath.quote(text) + " " + reason + ": give the path of a directory");
	}

}

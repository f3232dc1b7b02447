package io.kairo.workspace.local;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * Parses the path in a hint, within the bounds that the gate has for other paths.
 */
public final class HintPath {

	private static final int MAX_NAME_BYTES = 255;

	private static final int MAX_BYTES = 4096;

	private HintPath() {
	}

	/**
	 * Parses a path. The disk is not accessed.
	 * @param text the text of a hint, without the scheme
	 * @return the path
	 * @throws WorkspacePathException if the text cannot be a path
	 */
	public static Path parse(String text) {
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

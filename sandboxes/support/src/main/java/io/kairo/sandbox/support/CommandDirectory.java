package io.kairo.sandbox.support;

import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * Determines the directory that a command starts in.
 */
public final class CommandDirectory {

	private CommandDirectory() {
	}

	/**
	 * Returns the directory to start the command of a request in.
	 * @param request the request
	 * @return an absolute path: the working directory if the request has one, else the
	 * workspace root
	 * @throws SandboxException if either of the two is not a directory that can be
	 * entered
	 */
	public static Path of(SandboxRequest request) {
		Path root = requireEnterable("workspace root", request.workspaceRoot());
		Path directory = request.attributes().workingDirectory();
		return (directory != null) ? requireEnterable("working directory", directory) : root;
	}

	static Path requireEnterable(String role, Path directory) {
		if (!Files.exists(directory)) {
			throw invalid(role, directory, "does not exist", "create it or name another one");
		}
		if (!Files.isDirectory(directory)) {
			throw invalid(role, directory, "is not a directory", "name a directory");
		}
		if (!Files.isExecutable(directory)) {
			throw invalid(role, directory, "cannot be entered",
					"give the user that runs the JVM execute permission on it");
		}
		return directory.toAbsolutePath();
	}

	private static SandboxException invalid(String role, Path directory, String problem, String remedy) {
		return new SandboxException(SandboxErrorCode.INVALID_DIRECTORY, "The " + role + " " + directory + " " + problem,
				remedy);
	}

}

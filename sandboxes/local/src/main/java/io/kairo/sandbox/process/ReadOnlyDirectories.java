package io.kairo.sandbox.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.ReadOnlyCheck;
import io.kairo.sandbox.support.ReadOnlyNamespace;
import org.jspecify.annotations.Nullable;

/**
 * Prevents commands from writing to directories, if this machine supports it. Support is
 * checked once, on first use.
 */
final class ReadOnlyDirectories {

	private final @Nullable ReadOnlyNamespace namespace = ReadOnlyNamespace.find();

	private final PrivateDirectory directory;

	private boolean checked;

	private @Nullable String problem;

	ReadOnlyDirectories(PrivateDirectory directory) {
		this.directory = directory;
	}

	/**
	 * Returns the problem that prevents read-only directories.
	 * @return the problem, or null if there is none
	 */
	synchronized @Nullable String problem() {
		if (!this.checked) {
			this.problem = (this.namespace != null) ? ReadOnlyCheck.problem(this.namespace, this.directory)
					: "the programs unshare, mount and setpriv of Linux are required";
			this.checked = true;
		}
		return this.problem;
	}

	/**
	 * Returns the directories that a request makes read-only.
	 * @throws SandboxException if a directory does not exist, or a read-only directory
	 * contains a writable one
	 */
	static List<Path> of(SandboxRequest request) {
		List<Path> readOnly = new ArrayList<>();
		List<Path> writable = new ArrayList<>();
		(request.readOnly() ? readOnly : writable).add(real(request.workspaceRoot()));
		for (Mount mount : request.attributes().mounts()) {
			(mount.writable() ? writable : readOnly).add(real(mount.source()));
		}
		for (Path directory : readOnly) {
			for (Path inside : writable) {
				if (inside.startsWith(directory)) {
					throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
							"The writable directory " + inside + " lies within the read-only " + directory,
							"request directories that do not contain each other");
				}
			}
		}
		return readOnly;
	}

	/**
	 * Returns the command line of a process that cannot write to directories.
	 * @param directories the directories; if empty, the arguments are returned unchanged
	 */
	List<String> arguments(List<String> arguments, Path start, List<Path> directories) {
		if (directories.isEmpty() || this.namespace == null) {
			return arguments;
		}
		try {
			return this.namespace.arguments(arguments, start, directories);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "The mounts of this machine could not be read",
					"see the cause", ex);
		}
	}

	private static Path real(Path directory) {
		try {
			return directory.toRealPath();
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.INVALID_DIRECTORY,
					"The directory " + directory + " does not exist or cannot be reached",
					"create it or name another one", ex);
		}
	}

}

package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * Finds or creates the directory of a tenant and ensures that no other tenant has the
 * same one, neither by a link nor by a name that the file system treats as equal.
 *
 * @param base the directory above the tenants' directories
 * @param below names below the tenant's directory
 * @param owner the user that the directory is created for, or null for the user of the
 * application
 */
record TenantDirectory(Path base, List<Path> below, @Nullable HostUser owner) {

	/**
	 * Returns the directory, created if it is missing.
	 */
	Path create(String tenant) {
		return descend(tenant, (missing) -> {
			make(missing);
			return Found.LOOK_AT_IT;
		});
	}

	/**
	 * Returns the existing directory.
	 * @throws WorkspacePathException if it is missing or unusable
	 */
	Path find(String tenant) {
		return descend(tenant, (missing) -> {
			throw unusable(WorkspaceErrorCode.FILE_NOT_FOUND, tenant, "it does not exist");
		});
	}

	/**
	 * Returns the directory, whether it exists or not.
	 */
	Path locate(String tenant) {
		return descend(tenant, (missing) -> {
			if (Files.exists(missing, LinkOption.NOFOLLOW_LINKS)) {
				return Found.LOOK_AT_IT;
			}
			return Found.NOTHING;
		});
	}

	private Path descend(String tenant, Missing missing) {
		List<String> names = new ArrayList<>();
		names.add(PortableName.requireTenant(tenant));
		this.below.forEach((name) -> names.add(name.toString()));
		Path directory = this.base;
		if (!Files.isDirectory(directory)) {
			throw unusable(WorkspaceErrorCode.FILE_NOT_FOUND, tenant, "the directory of all tenants is missing");
		}
		for (String name : names) {
			directory = descend(directory, name, tenant, missing);
		}
		return directory;
	}

	private static Path descend(Path parent, String name, String tenant, Missing missing) {
		try {
			Path directory = parent.resolve(name);
			if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && missing.at(directory) == Found.NOTHING) {
				return directory;
			}
			if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
				throw unusable(WorkspaceErrorCode.NOT_A_DIRECTORY, tenant,
						WorkspacePath.quote(name) + " is a link or a file");
			}
			requireOwnName(parent, directory, name, tenant);
			return directory;
		}
		catch (InvalidPathException ex) {
			throw unusable(WorkspaceErrorCode.INVALID_PATH, tenant, "this file system cannot have such a name");
		}
		catch (IOException ex) {
			if (FailureDetail.isFullDisk(ex)) {
				throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "The directory of tenant "
						+ WorkspacePath.quote(tenant)
						+ " cannot be made, as there is no space left: the operator of the application has to free some",
						ex);
			}
			throw unusable(WorkspaceErrorCode.PERMISSION_DENIED, tenant, "it cannot be made or reached", ex);
		}
	}

	private void make(Path directory) throws IOException {
		try {
			Files.createDirectory(directory, OwnerOnly.directory(directory));
			if (this.owner != null) {
				this.owner.own(directory);
			}
		}
		catch (FileAlreadyExistsException ex) {
			// A link, a file, or created concurrently: checked next.
		}
	}

	/**
	 * Checks that the directory has exactly the name. On a file system that ignores case
	 * it may belong to another tenant.
	 */
	private static void requireOwnName(Path parent, Path directory, String name, String tenant) throws IOException {
		if (!isFolded(parent, directory, name)) {
			return;
		}
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
			for (Path entry : entries) {
				if (entry.getFileName().toString().equals(name)) {
					return;
				}
			}
		}
		throw unusable(WorkspaceErrorCode.AMBIGUOUS_PATH, tenant, "another tenant's differs from it only in case");
	}

	private static boolean isFolded(Path parent, Path directory, String name) throws IOException {
		StringBuilder swapped = new StringBuilder();
		name.codePoints()
			.map((c) -> Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c))
			.forEach(swapped::appendCodePoint);
		Path other = parent.resolve(swapped.toString());
		return !swapped.toString().equals(name) && Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)
				&& Files.isSameFile(other, directory);
	}

	private static WorkspacePathException unusable(WorkspaceErrorCode code, String tenant, String reason) {
		return unusable(code, tenant, reason, null);
	}

	private static WorkspacePathException unusable(WorkspaceErrorCode code, String tenant, String reason,
			@Nullable IOException cause) {
		return new WorkspacePathException(code, "The directory of tenant " + WorkspacePath.quote(tenant)
				+ " cannot be used, as " + reason + ": the operator of the application has to look at it", cause);
	}

	/**
	 * The treatment of a missing directory.
	 */
	@FunctionalInterface
	private interface Missing {

		Found at(Path directory) throws IOException;

	}

	/**
	 * The state of the directory afterwards.
	 */
	private enum Found {

		/** It does not exist, and need not. */
		NOTHING,

		/** It exists, and must be a directory. */
		LOOK_AT_IT

	}

}

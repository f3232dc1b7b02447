package io.kairo.api.sandbox.tck;

import java.util.List;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that gives the directories of a request to the user that its commands run as.
 * An application that runs as root has to do so. Closing it closes the other sandbox.
 *
 * @param sandbox runs the commands
 * @param uid the ID of the user that commands run as
 */
public record AccessGrantingSandbox(ExecutionSandbox sandbox, int uid) implements ExecutionSandbox, AutoCloseable {

	/**
	 * Creates the sandbox.
	 */
	public AccessGrantingSandbox {
		Objects.requireNonNull(sandbox, "sandbox");
	}

	@Override
	public SandboxHandle start(SandboxRequest request) {
		return this.sandbox.start(grantAccess(request, this.uid));
	}

	@Override
	public SandboxCapabilities capabilities() {
		return this.sandbox.capabilities();
	}

	@Override
	public @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
		return this.sandbox.temporaryFiles(tenant, sessionId);
	}

	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		return this.sandbox.sharedDirectories(tenant);
	}

	@Override
	public void close() throws Exception {
		if (this.sandbox instanceof AutoCloseable closeable) {
			closeable.close();
		}
	}

	/**
	 * Grants a user access to the directories of a request, unless the root directory is
	 * one of them.
	 * @param request the request
	 * @param uid the ID of the user
	 * @return the request
	 */
	public static SandboxRequest grantAccess(SandboxRequest request, int uid) {
		if (request.attributes().mounts().stream().noneMatch((mount) -> mount.source().getNameCount() == 0)) {
			grantAccess(request.workspaceRoot(), uid);
			request.attributes().mounts().stream().map(Mount::source).forEach((source) -> grantAccess(source, uid));
		}
		return request;
	}

	/**
	 * Grants a user access to a path: makes its parents accessible and, for a directory,
	 * gives the whole tree to the user.
	 * @param directory the path
	 * @param uid the ID of the user
	 */
	public static void grantAccess(Path directory, int uid) {
		try {
			makeParentsAccessible(directory.toAbsolutePath());
			if (Files.isDirectory(directory)) {
				Files.setAttribute(directory, "unix:uid", uid);
				UserPrincipal owner = Files.getOwner(directory);
				try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
					changeOwner((SecureDirectoryStream<Path>) opened, directory, owner, uid);
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void makeParentsAccessible(Path directory) throws IOException {
		Path parent = directory.getParent();
		if (parent != null && parent.getNameCount() > 1 && Files.isDirectory(parent)) {
			makeParentsAccessible(parent);
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(parent);
			if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
				Files.setPosixFilePermissions(parent, permissions);
			}
		}
	}

	/**
	 * Changes the owner of the entries as far as possible, without following links: a
	 * test may move files in the meantime, or create names that are too long.
	 */
	private static void changeOwner(SecureDirectoryStream<Path> directory, Path path, UserPrincipal owner, int uid) {
		for (Path entry : directory) {
			Path name = entry.getFileName();
			try {
				PosixFileAttributeView view = directory.getFileAttributeView(name, PosixFileAttributeView.class,
						LinkOption.NOFOLLOW_LINKS);
				BasicFileAttributes attributes = view.readAttributes();
				if (attributes.isRegularFile() || attributes.isDirectory()) {
					view.setOwner(owner);
				}
				else if (attributes.isOther()) {
					// cannot be opened, such as a socket
					Files.setAttribute(path.resolve(name), "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
				}
				if (attributes.isDirectory()) {
					try (SecureDirectoryStream<Path> below = directory.newDirectoryStream(name,
							LinkOption.NOFOLLOW_LINKS)) {
						changeOwner(below, path.resolve(name), owner, uid);
					}
				}
			}
			catch (IOException ex) {
				// the entry has been removed or replaced in the meantime
			}
		}
	}

}

package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Makes workspaces of directories that exist on this machine. A hint is a path: absolute,
 * or relative to the base directory, which is what no hint means. Nothing is created, and
 * nothing is removed on release.
 * <p>
 * The same tenant gets the same instance for the same real directory until it is
 * released. The id is {@code local:} and the root, with {@code #} and the tenant appended
 * when that is not the default one, and {@code #ro} when the workspace may only be read.
 * Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class LocalDirectoryWorkspaceProvider implements WorkspaceProvider {

	private final Path baseDirectory;

	private final List<Path> addedDirectories;

	private final boolean writable;

	private final ConcurrentMap<Key, Workspace> workspaces = new ConcurrentHashMap<>();

	/**
	 * Creates a provider of workspaces with a single root.
	 * @param baseDirectory the directory that relative hints start from; looked at when a
	 * workspace is acquired
	 */
	public LocalDirectoryWorkspaceProvider(Path baseDirectory) {
		this(baseDirectory, List.of());
	}

	/**
	 * Creates a provider of workspaces with more roots.
	 * @param baseDirectory the directory that relative hints start from; looked at when a
	 * workspace is acquired
	 * @param addedDirectories further roots of every workspace, as their real paths,
	 * after its own
	 * @throws WorkspacePathException if one of the added directories is missing or is not
	 * a readable directory
	 */
	public LocalDirectoryWorkspaceProvider(Path baseDirectory, List<Path> addedDirectories) {
		this(baseDirectory.toAbsolutePath().normalize(),
				addedDirectories.stream()
					.map((directory) -> realDirectory(directory.toAbsolutePath().normalize()))
					.distinct()
					.toList(),
				true);
	}

	private LocalDirectoryWorkspaceProvider(Path baseDirectory, List<Path> addedDirectories, boolean writable) {
		this.baseDirectory = baseDirectory;
		this.addedDirectories = addedDirectories;
		this.writable = writable;
	}

	/**
	 * Returns a provider over the same directories whose workspaces may only be read,
	 * whatever is asked for.
	 * @return another provider
	 */
	public LocalDirectoryWorkspaceProvider readOnly() {
		return new LocalDirectoryWorkspaceProvider(this.baseDirectory, this.addedDirectories, false);
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		Path root = root(request.hint());
		Path real = realDirectory(root);
		Key key = new Key(request.tenant().tenantId(), real, this.writable && request.writable());
		return this.workspaces.computeIfAbsent(key,
				(missing) -> new LocalWorkspace(missing.id(root), roots(root, real), missing.writable()));
	}

	@Override
	public void release(@Nullable String workspaceId) {
		if (workspaceId != null) {
			this.workspaces.values().removeIf((workspace) -> workspace.id().equals(workspaceId));
		}
	}

	private Path root(@Nullable String hint) {
		if (hint == null || hint.isBlank()) {
			return this.baseDirectory;
		}
		try {
			return this.baseDirectory.resolve(hint).normalize();
		}
		catch (InvalidPathException ex) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The hint " + WorkspacePath.quote(hint) + " cannot be a path: give the path of a directory");
		}
	}

	private List<Path> roots(Path root, Path real) {
		return Stream.concat(Stream.of(root), this.addedDirectories.stream().filter((added) -> !added.equals(real)))
			.toList();
	}

	private static Path realDirectory(Path directory) {
		try {
			Path real = directory.toRealPath();
			if (!Files.isDirectory(real)) {
				throw unusable(WorkspaceErrorCode.NOT_A_DIRECTORY, directory, "is not a directory");
			}
			if (!Files.isReadable(real)) {
				throw unusable(WorkspaceErrorCode.PERMISSION_DENIED, directory, "is not readable");
			}
			return real;
		}
		catch (NoSuchFileException ex) {
			throw unusable(WorkspaceErrorCode.FILE_NOT_FOUND, directory, "does not exist");
		}
		catch (IOException ex) {
			throw unusable(WorkspaceErrorCode.PERMISSION_DENIED, directory, "cannot be reached");
		}
	}

	private static WorkspacePathException unusable(WorkspaceErrorCode code, Path directory, String reason) {
		return new WorkspacePathException(code, "The workspace directory " + WorkspacePath.quote(directory.toString())
				+ " " + reason + ": give a directory that exists and can be read");
	}

	/**
	 * What makes two requests ask for the same workspace.
	 */
	private record Key(String tenant, Path real, boolean writable) {

		String id(Path root) {
			StringBuilder id = new StringBuilder("local:").append(root.toString().replace("#", "%23"));
			if (!this.tenant.equals(TenantContext.SINGLE.tenantId())) {
				id.append('#').append(distinct(this.tenant));
			}
			return this.writable ? id.toString() : id.append("#ro").toString();
		}

		/**
		 * Keeps a tenant's name from looking like another part of an id.
		 */
		private static String distinct(String tenant) {
			return tenant.equals("ro") ? "%72o" : tenant.replace("%", "%25").replace("#", "%23");
		}

	}

}

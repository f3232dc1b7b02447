package io.kairo.workspace.memory;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Provides workspaces in memory and opens their files. A hint is {@code memory:} and a
 * name, or the name alone; the default is {@code default}. A name has 1 to 100 letters,
 * digits, {@code .}, {@code _} and {@code -}, and begins with a letter or digit.
 * <p>
 * A name denotes the same files for a tenant, as a writable and as a read-only workspace.
 * Every acquire is a lease on the id: the files are dropped when all leases on both
 * workspaces have been released. Commands cannot run in such a workspace:
 * {@link Workspace#onDisk()} is false.
 * <p>
 * The id is {@code memory:} and the name, with {@code #} and the tenant appended when
 * that is not the default one, and {@code #ro} when the workspace may only be read. Safe
 * for use by several threads.
 */
public final class InMemoryWorkspaceProvider implements WorkspaceProvider, WorkspaceFilesFactory {

	private static final String SCHEME = "memory";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

	private final WritePolicy writePolicy;

	/** By id; guarded by this map. */
	private final Map<String, Lease> leases = new HashMap<>();

	/** By root; guarded by {@link #leases}. */
	private final Map<Path, MemoryStore> stores = new HashMap<>();

	/**
	 * Creates a provider of workspaces where all paths may be written.
	 */
	public InMemoryWorkspaceProvider() {
		this(WritePolicy.ALLOW_ALL);
	}

	/**
	 * Creates a provider.
	 * @param writePolicy the paths that may be written in writable workspaces
	 */
	public InMemoryWorkspaceProvider(WritePolicy writePolicy) {
		this.writePolicy = writePolicy;
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		InMemoryWorkspace asked = workspace(name(request.hint()), request.tenant().tenantId(), request.writable());
		synchronized (this.leases) {
			Lease lease = this.leases.get(asked.id());
			InMemoryWorkspace workspace = (lease != null) ? lease.workspace() : asked;
			this.leases.put(workspace.id(), new Lease(workspace, (lease != null) ? lease.count() + 1 : 1));
			this.stores.computeIfAbsent(workspace.root(), (missing) -> new MemoryStore());
			return workspace;
		}
	}

	@Override
	public void release(@Nullable String workspaceId) {
		synchronized (this.leases) {
			Lease lease = (workspaceId != null) ? this.leases.remove(workspaceId) : null;
			if (lease == null) {
				return;
			}
			InMemoryWorkspace workspace = lease.workspace();
			if (lease.count() > 1) {
				this.leases.put(workspace.id(), new Lease(workspace, lease.count() - 1));
			}
			else if (this.leases.values().stream().noneMatch((other) -> other.isOn(workspace.root()))) {
				this.stores.remove(workspace.root());
			}
		}
	}

	/**
	 * Opens the files of a workspace.
	 * @param workspace an acquired workspace
	 * @return its files; they stay readable after the release
	 * @throws WorkspaceException if the workspace does not belong to this provider, or
	 * was released
	 */
	@Override
	public InMemoryWorkspaceFiles open(Workspace workspace) {
		synchronized (this.leases) {
			Lease lease = this.leases.get(workspace.id());
			MemoryStore store = (lease != null) ? this.stores.get(lease.workspace().root()) : null;
			if (lease == null || store == null) {
				throw new WorkspaceException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED, "The workspace "
						+ WorkspacePath.quote(workspace.id()) + " is not in memory, or no more: acquire it again",
						null);
			}
			boolean writable = workspace.writable() && lease.workspace().writable();
			return new InMemoryWorkspaceFiles(lease.workspace().root(), writePolicy(writable), store);
		}
	}

	private WritePolicy writePolicy(boolean writable) {
		return writable ? this.writePolicy
				: new WritePolicy(true, this.writePolicy.protectedPaths(), this.writePolicy.allowedPrefixes());
	}

	private static String name(@Nullable String hint) {
		WorkspaceHint parsed = WorkspaceHint.parse(hint);
		String name = parsed.without(SCHEME);
		if (name.isEmpty() || parsed.toString().isBlank()) {
			return "default";
		}
		if (!NAME.matcher(name).matches()) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The hint " + WorkspacePath.quote(parsed.toString()) + " names no workspace in memory: give '"
							+ SCHEME + ":' and up to 100 letters, digits, '.', '_' and '-', a letter or digit first");
		}
		return name;
	}

	private static InMemoryWorkspace workspace(String name, String tenant, boolean writable) {
		boolean single = tenant.equals(TenantContext.SINGLE.tenantId());
		String encoded = URLEncoder.encode(tenant, StandardCharsets.UTF_8);
		String owner = tenant.equals("ro") ? "%72o" : encoded;
		String id = SCHEME + ":" + name + (single ? "" : "#" + owner) + (writable ? "" : "#ro");
		Path root = Path.of("/memory", single ? name : "@" + encoded + "/" + name);
		return new InMemoryWorkspace(id, root.toAbsolutePath(), writable);
	}

	/**
	 * A workspace and the number of its leases.
	 */
	private record Lease(InMemoryWorkspace workspace, int count) {

		boolean isOn(Path root) {
			return this.workspace.root().equals(root);
		}

	}

	/**
	 * A workspace whose files are in memory.
	 */
	private record InMemoryWorkspace(String id, Path root, boolean writable) implements Workspace {

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.EPHEMERAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

		@Override
		public boolean onDisk() {
			return false;
		}

	}

}

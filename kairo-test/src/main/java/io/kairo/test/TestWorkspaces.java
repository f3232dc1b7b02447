package io.kairo.test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import org.jspecify.annotations.Nullable;

/**
 * Workspaces in memory for tests. They begin with the seeded files and are kept when
 * their sessions end, so that a test can look at them. Unlike the workspaces of
 * {@link InMemoryWorkspaceProvider}, they pretend to be on a disk, so that tools pass
 * commands to a {@link FakeSandbox}. Their roots do not exist on this machine.
 * <p>
 * Each tenant has a workspace for each hint, whatever the hint means to the providers of
 * the application. Safe for use by several threads.
 */
public final class TestWorkspaces implements WorkspaceProvider, WorkspaceFilesFactory, Resettable {

	private static final Pattern NAME = Pattern.compile("(?:memory:)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

	private final InMemoryWorkspaceProvider memory = new InMemoryWorkspaceProvider();

	private final Map<String, String> seeds = new LinkedHashMap<>();

	/** By root, of writable workspaces. */
	private final Map<Path, InMemoryWorkspaceFiles> files = new LinkedHashMap<>();

	/**
	 * Creates workspaces without seeded files.
	 */
	public TestWorkspaces() {
	}

	/**
	 * Adds or replaces a file in every workspace, including those acquired later.
	 * @param path a path below the root, in any spelling
	 * @param content its text, stored as UTF-8
	 * @return this object
	 * @throws io.kairo.api.workspace.WorkspacePathException if the path is malformed
	 */
	public synchronized TestWorkspaces seed(String path, String content) {
		this.seeds.put(path, content);
		this.files.values().forEach((each) -> each.seedFile(path, content));
		return this;
	}

	/**
	 * Returns the files of the default workspace of the tenant of an application with one
	 * tenant.
	 * @return the files
	 */
	public InMemoryWorkspaceFiles files() {
		return files(TenantContext.SINGLE, null);
	}

	/**
	 * Returns the files of a workspace.
	 * @param tenant the tenant
	 * @param hint the hint of the application's request; null for the default workspace
	 * @return the files
	 */
	public synchronized InMemoryWorkspaceFiles files(TenantContext tenant, @Nullable String hint) {
		Workspace workspace = this.memory.acquire(new WorkspaceRequest(name(hint), tenant, true));
		return this.files.computeIfAbsent(workspace.root(), (root) -> {
			InMemoryWorkspaceFiles opened = this.memory.open(workspace);
			this.seeds.forEach(opened::seedFile);
			return opened;
		});
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		files(request.tenant(), request.hint());
		return new TestWorkspace(
				this.memory.acquire(new WorkspaceRequest(name(request.hint()), request.tenant(), request.writable())));
	}

	/**
	 * Does nothing: the files are kept until {@link #reset()}.
	 */
	@Override
	public void release(@Nullable String workspaceId) {
		// kept for the assertions of the test
	}

	@Override
	public InMemoryWorkspaceFiles open(Workspace workspace) {
		return this.memory.open(workspace);
	}

	/**
	 * Removes all files and seeds. Sessions that were opened before keep their
	 * workspaces, now empty.
	 */
	@Override
	public synchronized void reset() {
		this.seeds.clear();
		this.files.values().forEach(TestWorkspaces::clear);
	}

	private static void clear(InMemoryWorkspaceFiles files) {
		for (FileInfo entry : files.list(files.root(), 1).value().entries()) {
			files.apply(new WorkspaceChange.Delete(entry.path(), WorkspaceChange.Depth.RECURSIVE, null)).value();
		}
	}

	private static @Nullable String name(@Nullable String hint) {
		if (hint == null || hint.isBlank() || NAME.matcher(hint).matches()) {
			return hint;
		}
		return UUID.nameUUIDFromBytes(hint.getBytes(StandardCharsets.UTF_8)).toString();
	}

	/**
	 * A workspace in memory that accepts commands of tools.
	 *
	 * @param id the id
	 * @param root the name of the root
	 * @param writable whether files may be changed
	 */
	private record TestWorkspace(String id, Path root, boolean writable) implements Workspace {

		TestWorkspace(Workspace memory) {
			this(memory.id(), memory.root(), memory.writable());
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.EPHEMERAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}

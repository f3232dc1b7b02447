package io.kairo.workspace.ephemeral;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.host.ClaimedDirectories;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopiedTree;
import org.jspecify.annotations.Nullable;

/**
 * A provider of workspaces in new directories that are removed on release. A hint is
 * {@code ephemeral:} followed by the path of a seed, a directory whose content is copied,
 * or the path alone; without a path the workspace is empty. The path is absolute, or
 * relative to the directories of seeds, and must lie below one of them.
 * <p>
 * Every acquire creates another workspace. Only its caller uses it, and it exists until
 * it is released; it never expires. The ID is {@code ephemeral:} followed by a random
 * number. The metadata describe the copy: {@code ephemeral.seed},
 * {@code ephemeral.seed.files}, {@code ephemeral.seed.bytes},
 * {@code ephemeral.seed.skipped} and {@code ephemeral.seed.copy}; the last is
 * {@code clone} if the file system shares the blocks of large files.
 * <p>
 * A release removes the directory with everything in it. If a command keeps writing to
 * it, the removal fails after two seconds, is logged, and is retried at the next acquire
 * and when this provider is closed. The workspaces of a process that ended without
 * releasing them are removed by the next process with the same directory, at its first
 * acquire or {@link #sweep}. Directories {@linkplain ClaimedDirectories belong} to a
 * process as long as it holds the lock of a file beside them, so the workspaces of a
 * running process are never removed by another one. Safe for use by several threads.
 */
public final class EphemeralWorkspaceProvider implements WorkspaceProvider, AutoCloseable {

	private static final System.Logger logger = System.getLogger(EphemeralWorkspaceProvider.class.getName());

	/** Minimum time between sweeps on acquire. */
	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);

	private final EphemeralOptions options;

	private final Seeds seeds;

	private final ClaimedDirectories directories;

	/** The time of the next sweep, as of {@link System#nanoTime()}. */
	private final AtomicLong nextSweep = new AtomicLong(System.nanoTime());

	private final ConcurrentMap<String, OwnedTree> trees = new ConcurrentHashMap<>();

	/** Trees that were released and could not be removed yet, by workspace ID. */
	private final ConcurrentMap<String, OwnedTree> remains = new ConcurrentHashMap<>();

	/**
	 * Creates a provider. Does not access the disk.
	 * @param options the directories and bounds
	 * @throws WorkspacePathException if the seeds of tenants overlap each other or the
	 * directory
	 */
	public EphemeralWorkspaceProvider(EphemeralOptions options) {
		this.options = options;
		this.seeds = new Seeds(options.seeds(), options.directory());
		this.directories = new ClaimedDirectories(options.directory());
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		Seed seed = this.seeds.find(request);
		this.remains.forEach(this::discard);
		long due = this.nextSweep.get();
		if (System.nanoTime() - due >= 0
				&& this.nextSweep.compareAndSet(due, System.nanoTime() + SWEEP_INTERVAL.toNanos())) {
			sweep();
		}
		String id = UUID.randomUUID().toString();
		OwnedTree tree = newTree(id);
		try {
			tree.create();
			Map<String, String> metadata = (seed != null) ? fill(tree, seed) : Map.of();
			if (this.options.owner() != null) {
				tree.giveTo(this.options.owner());
			}
			Workspace workspace = new EphemeralWorkspace(Seeds.SCHEME + ":" + id, tree.directory(), request.writable(),
					metadata);
			this.trees.put(workspace.id(), tree);
			return workspace;
		}
		catch (RuntimeException | Error ex) {
			discard(Seeds.SCHEME + ":" + id, tree);
			throw ex;
		}
	}

	private OwnedTree newTree(String id) {
		try {
			return new OwnedTree(this.directories.newPath(id));
		}
		catch (IOException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED,
					"No ephemeral workspace can be created in the directory configured for them: ask the operator to "
							+ "check whether it is writable and has space left",
					ex);
		}
	}

	private Map<String, String> fill(OwnedTree tree, Seed seed) {
		CopiedTree copied = tree.fill(seed.directory(), seed.name(), this.options.bounds());
		Map<String, String> metadata = new LinkedHashMap<>();
		metadata.put("ephemeral.seed", seed.name());
		metadata.put("ephemeral.seed.files", String.valueOf(copied.files()));
		metadata.put("ephemeral.seed.bytes", String.valueOf(copied.bytes()));
		metadata.put("ephemeral.seed.skipped", String.valueOf(copied.skipped()));
		metadata.put("ephemeral.seed.copy", copied.method().code());
		return metadata;
	}

	@Override
	public void release(@Nullable String workspaceId) {
		if (workspaceId != null) {
			OwnedTree tree = this.trees.remove(workspaceId);
			if (tree != null) {
				discard(workspaceId, tree);
			}
		}
	}

	private void discard(String id, OwnedTree tree) {
		try {
			tree.remove();
			this.remains.remove(id);
		}
		catch (IOException ex) {
			if (this.remains.putIfAbsent(id, tree) == null) {
				logger.log(Level.WARNING, "The released workspace " + id
						+ " cannot be removed yet because a process still writes to it: the removal is retried later",
						ex);
			}
		}
	}

	/**
	 * Removes the workspaces that processes left behind when they ended.
	 */
	public void sweep() {
		try {
			this.directories.sweep((directory) -> new OwnedTree(directory).remove());
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot look for ephemeral workspaces that dead processes left behind", ex);
		}
	}

	/**
	 * Returns the number of workspaces that were released but could not be removed yet,
	 * as a process still writes to them.
	 * @return the number, at least 0
	 */
	public int remaining() {
		return this.remains.size();
	}

	/**
	 * Removes every workspace of this provider. The provider can be used again
	 * afterwards.
	 */
	@Override
	public void close() {
		for (String id : this.trees.keySet()) {
			release(id);
		}
		this.remains.forEach(this::discard);
		try {
			this.directories.close();
		}
		catch (IOException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED,
					"The claim on the ephemeral workspaces cannot be released: the next process that uses the directory removes it",
					ex);
		}
	}

	/**
	 * A workspace in a directory that is deleted on release.
	 */
	private record EphemeralWorkspace(String id, Path root, boolean writable,
			Map<String, String> metadata) implements Workspace {

		EphemeralWorkspace {
			metadata = Map.copyOf(metadata);
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.EPHEMERAL;
		}

	}

}

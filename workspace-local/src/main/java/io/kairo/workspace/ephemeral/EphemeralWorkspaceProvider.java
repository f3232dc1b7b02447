package io.kairo.workspace.ephemeral;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.ProcessIdentity;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopiedTree;
import org.jspecify.annotations.Nullable;

/**
 * Provides workspaces in new directories, which are deleted on release. A hint is
 * {@code ephemeral:} and the path of a seed, a directory whose content is copied, or the
 * path alone; without a path the workspace is empty. A path is absolute, or relative to
 * the directories of seeds, and must be below one of them.
 * <p>
 * Every acquire creates another workspace, which exists until it is released. The id is
 * {@code ephemeral:} and a random number. Metadata describe the copied seed:
 * {@code ephemeral.seed}, {@code ephemeral.seed.files}, {@code ephemeral.seed.bytes},
 * {@code ephemeral.seed.skipped} and {@code ephemeral.seed.copy}, which is {@code clone}
 * if the file system shares the blocks of large files.
 * <p>
 * A release removes the directory with all content. If a command keeps writing to it, the
 * removal is abandoned after a while, logged, and retried at the next acquire and when
 * this provider is closed. Directories left by a process that ended without a release are
 * removed by the next process with the same parent directory, at its first acquire or
 * {@link #sweep}. A process owns its directories while it holds the lock of a file beside
 * them, so that those of a living process are kept. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class EphemeralWorkspaceProvider implements WorkspaceProvider, AutoCloseable {

	private static final System.Logger logger = System.getLogger(EphemeralWorkspaceProvider.class.getName());

	/** Minimum interval between sweeps. */
	private static final Duration SWEEP_AFTER = Duration.ofMinutes(10);

	private final EphemeralOptions options;

	private final Seeds seeds;

	private final Claims claims;

	private final Sweep sweep;

	private final ConcurrentMap<String, OwnedTree> trees = new ConcurrentHashMap<>();

	/** Trees that were released and could not be removed yet, by id. */
	private final ConcurrentMap<String, OwnedTree> remains = new ConcurrentHashMap<>();

	/**
	 * Creates a provider. The disk is not accessed.
	 * @param options the options
	 * @throws WorkspacePathException if tenants would share seeds by overlapping
	 * directories, or the directory and the seeds overlap
	 */
	public EphemeralWorkspaceProvider(EphemeralOptions options) {
		this(options, ProcessIdentity.current());
	}

	EphemeralWorkspaceProvider(EphemeralOptions options, ProcessIdentity process) {
		this.options = options;
		this.seeds = new Seeds(options.seeds(), options.directory());
		this.claims = new Claims(options.directory(), process);
		this.sweep = new Sweep(options.directory(), process);
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		Seed seed = this.seeds.find(request);
		this.remains.forEach(this::discard);
		if (this.claims.sweepIsDue(SWEEP_AFTER)) {
			this.sweep.run();
		}
		String id = UUID.randomUUID().toString();
		OwnedTree tree = this.claims.newTree(id);
		try {
			tree.create();
			Map<String, String> metadata = (seed != null) ? fill(tree, seed) : Map.of();
			Workspace workspace = new EphemeralWorkspace(Seeds.SCHEME + id, tree.directory(), request.writable(),
					metadata);
			this.trees.put(workspace.id(), tree);
			return workspace;
		}
		catch (RuntimeException | Error ex) {
			discard(Seeds.SCHEME + id, tree);
			throw ex;
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
				logger.log(Level.WARNING,
						"The released workspace " + id
								+ " cannot be removed yet, as something still writes to it: it is tried again later",
						ex);
			}
		}
	}

	/**
	 * Removes the directories left by processes that have ended.
	 */
	public void sweep() {
		this.sweep.run();
	}

	/**
	 * Returns the number of released workspaces that could not be removed yet, as a
	 * process writes to them.
	 * @return the number, at least 0
	 */
	public int remaining() {
		return this.remains.size();
	}

	/**
	 * Removes every workspace of this provider, which can be used again afterwards.
	 */
	@Override
	public void close() {
		for (String id : this.trees.keySet()) {
			release(id);
		}
		this.remains.forEach(this::discard);
		try {
			this.claims.end(this.remains.isEmpty());
		}
		catch (IOException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED,
					"The claim on the directory of ephemeral workspaces cannot be given up: the next process does it",
					ex);
		}
	}

}

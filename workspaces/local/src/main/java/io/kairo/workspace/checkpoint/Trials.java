package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.host.ClaimedDirectories;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;
import org.jspecify.annotations.Nullable;

/**
 * The directories of trials. Those that a killed application left behind are removed by
 * the next one. Safe for use by several threads.
 */
final class Trials implements AutoCloseable {

	private static final Logger logger = System.getLogger(Trials.class.getName());

	private final TrialOptions options;

	private final ClaimedDirectories directories;

	/** The tenants of the trials; guarded by itself. */
	private final Map<SessionTrial, String> open = new HashMap<>();

	/** What could not be removed yet. */
	private final Queue<OwnedTree> remains = new ConcurrentLinkedQueue<>();

	Trials(TrialOptions options) {
		this.options = options;
		this.directories = new ClaimedDirectories(options.directory());
	}

	TrialOptions options() {
		return this.options;
	}

	/**
	 * Adds a trial.
	 * @return false if the tenant has too many
	 */
	boolean add(SessionTrial trial, TenantContext tenant) {
		synchronized (this.open) {
			String id = tenant.tenantId();
			if (Collections.frequency(this.open.values(), id) >= this.options.maxPerTenant()) {
				return false;
			}
			this.open.put(trial, id);
			return true;
		}
	}

	private List<SessionTrial> open() {
		synchronized (this.open) {
			return List.copyOf(this.open.keySet());
		}
	}

	/**
	 * Returns the trial of files, null if they are those of a workspace.
	 */
	@Nullable SessionTrial of(WorkspaceFiles files) {
		return open().stream().filter((trial) -> trial.has(files)).findFirst().orElse(null);
	}

	/**
	 * Copies a directory.
	 * @param directory the directory, null for an empty copy
	 * @param trees is told the copy before it exists
	 * @param shown the name of the directory in messages
	 * @param leftOut receives the paths of what may not be read, from the directory
	 * @return the copy
	 * @throws io.kairo.api.workspace.WorkspaceException if a bound is exceeded, or
	 * something cannot be written, or read for another reason
	 */
	Path copy(@Nullable Path directory, List<OwnedTree> trees, String shown, Consumer<String> leftOut)
			throws IOException {
		OwnedTree tree = create(trees);
		if (directory != null) {
			tree.fill(directory, shown, new CopyBounds(this.options.maxFiles(), this.options.maxBytes()), leftOut);
		}
		if (this.options.owner() != null) {
			tree.giveTo(this.options.owner());
		}
		return tree.directory().toRealPath();
	}

	private OwnedTree create(List<OwnedTree> trees) throws IOException {
		sweep();
		OwnedTree tree = new OwnedTree(this.directories.newPath(UUID.randomUUID().toString()));
		trees.add(tree);
		tree.create();
		return tree;
	}

	/**
	 * Mounts an overlay over a directory.
	 * @param directory the directory
	 * @param trees is told the directory of its changes before it exists
	 * @return the overlay, null if there can be none
	 */
	@Nullable TrialOverlay overlay(Path directory, List<OwnedTree> trees, TrialOverlays overlays) throws IOException {
		Path layer = create(trees).directory().toRealPath();
		TrialOverlays.Overlay mounted = overlays.mount(directory, layer);
		if (mounted != null && !TrialOverlay.isPossible(directory, layer)) {
			mounted.close();
			return null;
		}
		return (mounted != null) ? new TrialOverlay(mounted, layer.resolve("upper")) : null;
	}

	/**
	 * Removes a trial with its copies.
	 */
	void remove(SessionTrial trial, List<OwnedTree> trees) {
		synchronized (this.open) {
			this.open.remove(trial);
		}
		remove(trees);
	}

	void remove(List<OwnedTree> trees) {
		for (OwnedTree tree : trees) {
			try {
				tree.remove();
			}
			catch (IOException ex) {
				this.remains.add(tree);
				logger.log(Level.WARNING,
						"The copy of a trial cannot be removed yet, as a process still writes to it: the removal is "
								+ "retried later",
						ex);
			}
		}
	}

	/**
	 * Removes what dead processes left behind, and what could not be removed before.
	 */
	void sweep() {
		for (int left = this.remains.size(); left > 0; left--) {
			OwnedTree tree = this.remains.poll();
			if (tree != null) {
				remove(List.of(tree));
			}
		}
		try {
			this.directories.sweep((directory) -> new OwnedTree(directory).remove());
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot look for trials that dead processes left behind", ex);
		}
	}

	@Override
	public void close() {
		open().forEach(SessionTrial::close);
		sweep();
		try {
			this.directories.close();
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The claim on the trials cannot be released: the next process removes it", ex);
		}
	}

}

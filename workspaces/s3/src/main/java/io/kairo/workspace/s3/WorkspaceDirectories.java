package io.kairo.workspace.s3;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.host.ClaimedDirectories;
import io.kairo.host.OwnerOnly;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the workspaces of one provider, beside the directories of other
 * providers and processes. A directory whose workspace has unwritten changes is kept; if
 * its process is dead, the process that finds it takes it over. Safe for use by several
 * threads.
 */
final class WorkspaceDirectories implements AutoCloseable {

	private static final Logger logger = System.getLogger(WorkspaceDirectories.class.getName());

	private static final String LOG = "log";

	private static final String STAGING = "staging";

	private final ClaimedDirectories directories;

	/** Workspaces with unwritten changes, by their ids. */
	private final Map<String, Kept> kept = new ConcurrentHashMap<>();

	WorkspaceDirectories(Path directory) throws IOException {
		this.directories = new ClaimedDirectories(directory);
		this.directories.claim();
	}

	/**
	 * Creates the directory of a workspace.
	 * @param name the name of the directory of its files, if it is usual
	 */
	Parts create(String name) throws IOException {
		String clean = name.replaceAll("[^A-Za-z0-9._-]", "_");
		boolean usual = !clean.isEmpty() && !clean.startsWith(".") && !clean.equals(LOG) && !clean.equals(STAGING)
				&& clean.length() <= 100;
		Path directory = OwnerOnly.createDirectory(this.directories.newPath(UUID.randomUUID().toString()));
		Parts parts = new Parts(directory, directory.resolve(usual ? clean : "files"));
		OwnerOnly.createDirectory(parts.staging());
		OwnerOnly.createDirectory(parts.tree());
		return parts;
	}

	/**
	 * Keeps the directory of a workspace that was closed.
	 */
	void keep(Path directory, TreeState.Opened opened, boolean interrupted) {
		String id = directory.getFileName().toString();
		this.kept.put(id,
				new Kept(
						new UnwrittenWorkspace(id, S3Location.parse(opened.location()), opened.tenantId(), interrupted),
						opened, partsOf(directory)));
	}

	private static @Nullable Parts partsOf(Path directory) {
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.filter((entry) -> !entry.endsWith(LOG) && !entry.endsWith(STAGING))
				.findFirst()
				.map((tree) -> new Parts(directory, tree))
				.orElse(null);
		}
		catch (IOException ex) {
			return null;
		}
	}

	List<Kept> kept() {
		return List.copyOf(this.kept.values());
	}

	@Nullable Kept take(String id) {
		return this.kept.remove(id);
	}

	/**
	 * Takes over the directories of dead processes that have unwritten changes, and
	 * removes the others.
	 */
	void sweep() throws IOException {
		this.directories.sweep(this::sweep);
	}

	private void sweep(Path directory) throws IOException {
		Parts parts = partsOf(directory);
		if (parts != null && Files.exists(parts.log())) {
			try (TreeState state = new TreeState(parts.log())) {
				TreeState.Opened opened = state.opened();
				if (opened != null && opened.writable()
						&& (state.isWriting() || !state.conflicts().isEmpty() || isChanged(parts, state))) {
					Path own = this.directories.newPath(UUID.randomUUID().toString());
					Files.move(directory, own);
					keep(own, opened, state.isWriting());
					logger.log(Level.WARNING,
							"A process that ended left changes of {0} behind that were not written back: they are kept",
							opened.location());
					return;
				}
			}
			catch (WorkspacePathException | IllegalStateException ex) {
				logger.log(Level.WARNING, "The state of a workspace that a dead process left behind cannot be read",
						ex);
				return;
			}
		}
		new OwnedTree(directory).remove();
	}

	/**
	 * Returns whether files may have changed since they were fetched.
	 */
	private static boolean isChanged(Parts parts, TreeState state) throws IOException {
		Map<String, BaseVersion> versions = state.versions("");
		for (LocalFile file : new LocalTree(parts.tree(), DirectoryOpener.platform()).scan("")) {
			BaseVersion base = versions.remove(file.path());
			if (base == null || (base.fingerprint() != null && !base.fingerprint().equals(file.fingerprint()))) {
				return true;
			}
		}
		return versions.values().stream().anyMatch((base) -> base.fingerprint() != null);
	}

	@Override
	public void close() throws IOException {
		this.directories.close();
	}

	/**
	 * The parts of the directory of a workspace.
	 *
	 * @param directory the directory
	 * @param tree the directory of its files
	 */
	record Parts(Path directory, Path tree) {

		Path log() {
			return this.directory.resolve(LOG);
		}

		Path staging() {
			return this.directory.resolve(STAGING);
		}

	}

	/**
	 * A kept workspace.
	 *
	 * @param workspace its description
	 * @param opened the request for it
	 * @param parts the parts of its directory, null if it cannot be read
	 */
	record Kept(UnwrittenWorkspace workspace, TreeState.Opened opened, @Nullable Parts parts) {

	}

}

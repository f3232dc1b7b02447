package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PortableName;
import org.jspecify.annotations.Nullable;

/**
 * The state of a workspace: the versions that its files are based on, the directories
 * that were listed, conflicts, and attempted writes. Every change is appended to a log,
 * so that the state survives the process. The log is rewritten when most of its records
 * are outdated. Safe for use by several threads.
 */
final class TreeState implements AutoCloseable {

	private static final Logger logger = System.getLogger(TreeState.class.getName());

	/** The log is rewritten when it has this many records per needed record. */
	private static final int OUTDATED = 4;

	private static final int FEW_RECORDS = 1000;

	private final StateLog log;

	private int records;

	/** Number of records before the next look at the log. */
	private int nextLook = FEW_RECORDS;

	private final NavigableMap<String, BaseVersion> versions = new TreeMap<>();

	/** The paths of the versions by their folded forms. */
	private final Map<String, Set<String>> spellings = new HashMap<>();

	/** Directories that exist remotely, by their folded paths. */
	private final Map<String, Set<String>> directories = new HashMap<>();

	private final Set<String> listed = new HashSet<>();

	private final Set<String> listedTrees = new HashSet<>();

	private final Map<String, Conflict> conflicts = new TreeMap<>();

	private final Map<String, Set<String>> attempts = new HashMap<>();

	private boolean writing;

	private @Nullable Opened opened;

	/**
	 * Reads the state from its log.
	 * @throws IOException if the log cannot be read
	 */
	TreeState(Path file) throws IOException {
		this.log = new StateLog(file);
		this.log.read(this::replay);
		if (this.records > 0) {
			compact();
		}
	}

	private void replay(List<String> record) {
		this.records++;
		String path = (record.size() > 1) ? record.get(1) : "";
		switch (record.get(0)) {
			case "version" -> put(path, BaseVersion.of(record));
			case "forgotten" -> drop(path);
			case "directory" ->
				this.directories.computeIfAbsent(PortableName.fold(path), (key) -> new HashSet<>()).add(path);
			case "listed" -> this.listed.add(path);
			case "tree" -> this.listedTrees.add(path);
			case "conflict" -> this.conflicts.put(path, new Conflict(record.get(2), BaseVersion.nullable(record.get(3)),
					BaseVersion.nullable(record.get(4))));
			case "resolved" -> this.conflicts.remove(path);
			case "attempt" -> this.attempts.computeIfAbsent(path, (key) -> new LinkedHashSet<>()).add(record.get(2));
			case "settled" -> this.attempts.remove(path);
			case "opened" -> this.opened = new Opened(record.get(1), record.get(2), record.get(3),
					Boolean.parseBoolean(record.get(4)));
			case "begin" -> this.writing = true;
			case "end" -> this.writing = false;
			default -> throw new IllegalStateException("unknown record " + record.get(0));
		}
	}

	private void put(String path, BaseVersion version) {
		this.versions.put(path, version);
		this.spellings.computeIfAbsent(PortableName.fold(path), (key) -> new HashSet<>()).add(path);
	}

	private void drop(String path) {
		this.versions.remove(path);
		Set<String> same = this.spellings.get(PortableName.fold(path));
		if (same != null) {
			same.remove(path);
		}
	}

	private void record(List<String> fields) {
		try {
			this.log.append(fields);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		replay(fields);
		if (this.records >= this.nextLook) {
			compact();
		}
	}

	/**
	 * Rewrites the log if most of it is outdated. If that fails, the log goes on to grow.
	 */
	private void compact() {
		List<List<String>> needed = needed();
		if (this.records > OUTDATED * needed.size()) {
			try {
				this.log.replace(needed);
				this.records = needed.size();
			}
			catch (IOException ex) {
				logger.log(Level.DEBUG, "The state of a workspace could not be rewritten", ex);
			}
		}
		this.nextLook = Math.max(FEW_RECORDS, 2 * Math.max(this.records, needed.size()));
	}

	/**
	 * Returns the records that lead to this state.
	 */
	private List<List<String>> needed() {
		List<List<String>> needed = new ArrayList<>();
		Opened request = this.opened;
		if (request != null) {
			needed.add(request.record());
		}
		this.versions.forEach((path, version) -> needed.add(version.record(path)));
		this.directories.values().forEach((paths) -> paths.forEach((path) -> needed.add(List.of("directory", path))));
		this.listed.forEach((path) -> needed.add(List.of("listed", path)));
		this.listedTrees.forEach((path) -> needed.add(List.of("tree", path)));
		this.conflicts.forEach((path, conflict) -> needed.add(conflict.record(path)));
		this.attempts.forEach((path, ids) -> ids.forEach((id) -> needed.add(List.of("attempt", path, id))));
		if (this.writing) {
			needed.add(List.of("begin"));
		}
		return needed;
	}

	synchronized @Nullable BaseVersion version(String path) {
		return this.versions.get(path);
	}

	/**
	 * Returns the paths with a version that differ from a path at most in case or
	 * composition.
	 */
	synchronized Set<String> spellings(String path) {
		return Set.copyOf(this.spellings.getOrDefault(PortableName.fold(path), Set.of()));
	}

	/**
	 * Returns the versions of a file, or of all files below a directory.
	 * @param path the path, empty for the root
	 */
	synchronized Map<String, BaseVersion> versions(String path) {
		if (path.isEmpty()) {
			return new TreeMap<>(this.versions);
		}
		Map<String, BaseVersion> found = new TreeMap<>(this.versions.subMap(path + "/", path + "0"));
		BaseVersion own = this.versions.get(path);
		if (own != null) {
			found.put(path, own);
		}
		return found;
	}

	synchronized int size() {
		return this.versions.size();
	}

	synchronized void version(String path, BaseVersion version) {
		record(version.record(path));
	}

	synchronized void forget(String path) {
		record(List.of("forgotten", path));
	}

	/**
	 * Returns whether the remote entries of a directory are known.
	 */
	synchronized boolean isListed(String directory) {
		return this.listed.contains(directory) || isTreeListed(directory);
	}

	/**
	 * Returns whether all remote entries below a directory are known.
	 */
	synchronized boolean isTreeListed(String directory) {
		for (String above = directory; !this.listedTrees.contains(above); above = KeySyntax.parent(above)) {
			if (above.isEmpty()) {
				return false;
			}
			// a directory that its listed parent does not contain remotely is empty
			if (this.listed.contains(KeySyntax.parent(above))
					&& !this.directories.getOrDefault(PortableName.fold(above), Set.of()).contains(above)) {
				return true;
			}
		}
		return true;
	}

	/**
	 * Returns the remote directories that differ from a path at most in case or
	 * composition, and the path itself.
	 */
	synchronized Set<String> directories(String path) {
		Set<String> found = new LinkedHashSet<>(Set.of(path));
		found.addAll(this.directories.getOrDefault(PortableName.fold(path), Set.of()));
		return found;
	}

	synchronized void directory(String path) {
		record(List.of("directory", path));
	}

	synchronized void listed(String directory, boolean tree) {
		record(List.of(tree ? "tree" : "listed", directory));
	}

	synchronized Map<String, Conflict> conflicts() {
		return new TreeMap<>(this.conflicts);
	}

	synchronized void conflict(String path, Conflict conflict) {
		record(conflict.record(path));
	}

	synchronized void resolve(String path) {
		record(List.of("resolved", path));
	}

	/**
	 * Returns the identities of the writes of a path whose outcome is not known.
	 */
	synchronized Set<String> attempts(String path) {
		return Set.copyOf(this.attempts.getOrDefault(path, Set.of()));
	}

	synchronized void attempt(String path, String writeId) {
		record(List.of("attempt", path, writeId));
	}

	synchronized void settle(String path) {
		if (this.attempts.containsKey(path)) {
			record(List.of("settled", path));
		}
	}

	/**
	 * Returns whether changes are being written back, or were when the process ended.
	 */
	synchronized boolean isWriting() {
		return this.writing;
	}

	synchronized void begin() {
		record(List.of("begin"));
	}

	synchronized void end() {
		record(List.of("end"));
	}

	/**
	 * Returns the request that the workspace was opened for.
	 * @return null if that was not recorded before the process ended
	 */
	synchronized @Nullable Opened opened() {
		return this.opened;
	}

	synchronized void open(Opened opened) {
		record(opened.record());
	}

	/**
	 * Returns the paths below a directory that have a version and were not fetched.
	 */
	synchronized Map<String, BaseVersion> unfetched(String directory) {
		Map<String, BaseVersion> found = versions(directory);
		found.values().removeIf(BaseVersion::fetched);
		return found;
	}

	/**
	 * Returns whether everything was listed and fetched.
	 */
	synchronized boolean isComplete() {
		return isTreeListed("") && this.versions.values().stream().allMatch(BaseVersion::fetched);
	}

	/**
	 * Makes the log durable.
	 */
	synchronized void force() throws IOException {
		this.log.force();
	}

	@Override
	public synchronized void close() throws IOException {
		this.log.close();
	}

	/**
	 * Returns the paths of the remote versions that are kept beside local ones.
	 */
	synchronized List<String> copies() {
		List<String> copies = new ArrayList<>();
		this.conflicts.values().forEach((conflict) -> copies.add(conflict.copy()));
		return copies;
	}

	/**
	 * A path with a local and another remote version.
	 *
	 * @param copy the path of the remote version on this machine; it exists as long as
	 * the conflict is not resolved
	 * @param etag the remote version, null if the object was deleted
	 * @param sha256 the hash of the remote version, null if it is not on this machine
	 */
	record Conflict(String copy, @Nullable String etag, @Nullable String sha256) {

		private List<String> record(String path) {
			return List.of("conflict", path, this.copy, BaseVersion.text(this.etag), BaseVersion.text(this.sha256));
		}

		/**
		 * Returns the problem and the remedy.
		 */
		String message() {
			String copy = WorkspacePath.quote(this.copy);
			if (this.etag == null) {
				return "was deleted in the bucket, and changed here: decide, delete " + copy + ", and write back again";
			}
			return "was changed in the bucket as well"
					+ ((this.sha256 != null) ? ": the version of the bucket is in " + copy
							: ", to a version that is too large to be fetched")
					+ ": merge what is needed, delete " + copy + ", and write back again";
		}

	}

	/**
	 * The request for a workspace.
	 *
	 * @param location the location as in a hint
	 * @param tenantId the id of the tenant
	 * @param principalId the id of the principal
	 * @param writable whether the files may be changed
	 */
	record Opened(String location, String tenantId, String principalId, boolean writable) {

		private List<String> record() {
			return List.of("opened", this.location, this.tenantId, this.principalId, String.valueOf(this.writable));
		}

	}

}

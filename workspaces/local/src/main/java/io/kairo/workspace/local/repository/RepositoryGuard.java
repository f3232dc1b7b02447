package io.kairo.workspace.local.repository;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.ClaimedDirectories;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.repository.RepositoryState.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Lets commands write {@code .git/config} in the roots of workspaces, and checks it
 * whenever one of them ends. The last state that is known to be good is kept in a record
 * until the last command in a root has ended, so that the check is made up for if the JVM
 * is killed. After a check that failed, no command begins in that root until it succeeds.
 * Commands that may write the configuration and commands that may not never run in one
 * root at a time, since a rename by the former lifts the mounts of the latter. Safe for
 * use by several threads.
 */
public final class RepositoryGuard {

	private static final Logger logger = System.getLogger(RepositoryGuard.class.getName());

	private static final String GIT = ".git/";

	private static final String CONFIG = ".git/config";

	private static final String MODULES = ".git/modules";

	/** The paths that either are checked or remain protected in every repository. */
	private static final Set<String> PATHS = Set.of(CONFIG, MODULES, ".git/hooks", ".git/config.worktree",
			".git/commondir");

	/** The time that a record of a root that does not exist is kept. */
	private static final Duration KEPT = Duration.ofDays(7);

	private static final int LOCKS = 64;

	private static final String DRAFT = ".draft";

	/** The roots with commands, or with a check that failed. */
	private final Map<Path, Watched> watched = new ConcurrentHashMap<>();

	/**
	 * The locks of the roots, each for the roots with the same remainder of their hash.
	 */
	private final List<ReentrantLock> locks = Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

	private final ClaimedDirectories records;

	private final DirectoryOpener opener = DirectoryOpener.platform();

	/**
	 * Creates a guard. Does not access the disk.
	 * @param directory the directory for its records, created with access for its owner
	 * only when it is needed. All processes that run commands in the same roots have to
	 * share it
	 */
	public RepositoryGuard(Path directory) {
		this.records = new ClaimedDirectories(directory);
	}

	/**
	 * Returns whether a policy lets the configuration be checked instead of protected.
	 * @param atRoots the protected paths below each root
	 * @param anywhere the protected paths at any depth
	 * @return true if the configuration is protected in both ways, and no other path of
	 * the repository than the usual ones, nor {@code .git} as a whole, at the roots
	 */
	public static boolean applies(List<String> atRoots, List<String> anywhere) {
		return atRoots.contains(CONFIG) && anywhere.contains(CONFIG)
				&& atRoots.stream().allMatch((path) -> PATHS.contains(path) || !(path + "/").startsWith(GIT));
	}

	/**
	 * Checks the roots of commands that were running when other processes were killed.
	 * Failures are logged, and only stop commands in their root.
	 */
	public void recover() {
		try {
			this.records.sweep(this::recover);
		}
		catch (IOException ex) {
			logger.log(Level.ERROR, "The records of repositories cannot be read: make them readable", ex);
		}
	}

	private void recover(Path record) throws IOException {
		if (!record.toString().endsWith(DRAFT)) {
			RepositoryState before = RepositoryState.ofBytes(Files.readAllBytes(record));
			ReentrantLock lock = lock(before.root());
			lock.lock();
			try {
				FileTime written = Files.getLastModifiedTime(record);
				boolean missing = isMissing(before.root());
				if (!this.watched.containsKey(before.root())
						&& !(missing && written.toInstant().isBefore(Instant.now().minus(KEPT)))) {
					Path own = write(before);
					Files.setLastModifiedTime(own, written);
					settle(new Watched(before, own, 0, true, false), 0, new LinkedHashSet<>());
				}
			}
			finally {
				lock.unlock();
			}
		}
		Files.deleteIfExists(record);
	}

	/**
	 * Begins to watch the roots of a command.
	 * @param roots the roots
	 * @param protectedPaths the protected paths below each root
	 * @param configurable whether the command may write the configuration where that can
	 * be checked
	 * @return the watch, to be ended when the command has ended
	 * @throws IOException if the changes of an earlier command could not be checked, or a
	 * running command may write the configuration and this one may not
	 */
	public Watch begin(List<Path> roots, List<String> protectedPaths, boolean configurable) throws IOException {
		for (Path root : roots) {
			if (!this.watched.containsKey(root) && !others(root).isEmpty()) {
				recover();
				break;
			}
		}
		List<ReentrantLock> held = roots.stream()
			.map(this::lock)
			.sorted(Comparator.comparingInt(this.locks::indexOf))
			.toList();
		held.forEach(ReentrantLock::lock);
		try {
			return start(roots, protectedPaths, configurable);
		}
		finally {
			held.forEach(ReentrantLock::unlock);
		}
	}

	private Watch start(List<Path> roots, List<String> protectedPaths, boolean configurable) throws IOException {
		Map<Path, Watched> found = new LinkedHashMap<>();
		for (Path root : roots) {
			found.put(root, current(root));
		}
		boolean readOnly = !configurable || found.values().stream().anyMatch(Watched::readOnly);
		if (readOnly && found.values().stream().anyMatch((each) -> each.commands() > 0 && !each.readOnly())) {
			throw new IOException("A running command may write .git/config, and this one may not");
		}
		Map<Path, Watched> begun = new LinkedHashMap<>();
		try {
			for (Watched each : found.values()) {
				Path record = (readOnly || each.record() != null) ? each.record() : write(each.before());
				begun.put(each.before().root(),
						new Watched(each.before(), record, each.commands() + 1, false, readOnly));
			}
		}
		catch (IOException ex) {
			logger.log(Level.WARNING,
					"Commands cannot write .git/config, since its state cannot be recorded: make the state directory writable",
					ex);
			begun.values().stream().filter((each) -> each.commands() == 1).forEach(Watched::delete);
			return start(roots, protectedPaths, false);
		}
		this.watched.putAll(begun);
		boolean allNew = found.values().stream().allMatch((each) -> each.before().kind() == Kind.NEW);
		return new Watch(readOnly ? protectedPaths
				: protectedPaths.stream()
					.filter((path) -> !(allNew ? path.startsWith(GIT) : path.equals(CONFIG) || path.equals(MODULES)))
					.toList(),
				(ended) -> end(found.keySet(), ended));
	}

	/**
	 * Returns the present state of a root.
	 */
	private Watched current(Path root) throws IOException {
		Watched known = this.watched.get(root);
		Path own = this.records.newPath(name(root));
		if (known == null && Files.exists(own)) {
			// the root was missing
			known = new Watched(RepositoryState.ofBytes(Files.readAllBytes(own)), own, 0, true, false);
		}
		if (known != null && known.failed()) {
			known = settle(known, 0, new LinkedHashSet<>());
		}
		if (known == null) {
			// a command of another process may have changed the files on the disk
			List<Path> others = others(root);
			RepositoryState state = others.isEmpty() ? RepositoryCheck.examine(root, this.opener.of(root))
					: RepositoryState.ofBytes(Files.readAllBytes(others.get(0)));
			if (!others.equals(others(root))) {
				throw new IOException("Another process begins or ends commands there");
			}
			return new Watched(state, null, 0, false, state.kind() == Kind.READ_ONLY);
		}
		if (known.failed()) {
			throw new IOException("The .git of a workspace cannot be checked");
		}
		return known;
	}

	private List<String> end(Set<Path> roots, boolean ended) {
		Set<String> notes = new LinkedHashSet<>();
		for (Path root : roots) {
			ReentrantLock lock = lock(root);
			lock.lock();
			try {
				Watched known = this.watched.get(root);
				if (known != null) {
					settle(known, ended ? 1 : 0, notes);
				}
			}
			finally {
				lock.unlock();
			}
		}
		return List.copyOf(notes);
	}

	/**
	 * Checks a root.
	 * @param ended the number of commands that have ended
	 * @param notes receives the names of the removed or restored entries
	 * @return the watched root, null if it need not be watched any longer
	 */
	private @Nullable Watched settle(Watched known, int ended, Set<String> notes) {
		int commands = known.commands() - ended;
		if (commands == 0 && isMissing(known.before().root())) {
			// the workspace may have ended; the record stays in case its root comes back
			this.watched.remove(known.before().root());
			return null;
		}
		RepositoryState now = known.readOnly() ? known.before() : check(known, notes);
		if (now != null && commands == 0) {
			this.watched.remove(known.before().root());
			known.delete();
			return null;
		}
		RepositoryState good = (now != null) ? now : known.before();
		try {
			if (!known.readOnly()) {
				write(good);
			}
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The state of a repository cannot be recorded, so an older one stays", ex);
			good = known.before();
		}
		Watched left = new Watched(good, known.record(), commands, now == null, known.readOnly());
		this.watched.put(known.before().root(), left);
		return left;
	}

	/**
	 * Checks a root.
	 * @return the state after that, null if the check failed
	 */
	private @Nullable RepositoryState check(Watched known, Set<String> notes) {
		RepositoryState before = known.before();
		RepositoryCheck check = new RepositoryCheck(before, this.opener.of(before.root()));
		// an interrupt would close the files
		boolean interrupted = Thread.interrupted();
		try {
			return check.run();
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.ERROR, "What commands left in .git of " + before.root() + " could not be checked, so no "
					+ "command begins there: make it accessible, or look at its configuration and hooks, delete "
					+ known.record() + " and start again", ex);
			notes.add("what could not be checked, so no command begins here until the operator has looked at the log");
			return null;
		}
		finally {
			if (!check.removed().isEmpty()) {
				logger.log(Level.WARNING, "Commands have left in .git of {0} what Git would run: {1}", before.root(),
						WorkspacePath.quote(check.removed().toString()));
				notes.addAll(check.removed());
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static boolean isMissing(Path root) {
		return Files.notExists(root, LinkOption.NOFOLLOW_LINKS);
	}

	private ReentrantLock lock(Path root) {
		return this.locks.get(Math.floorMod(root.hashCode(), LOCKS));
	}

	/**
	 * Returns the records of other processes for a root that is not watched.
	 */
	private List<Path> others(Path root) throws IOException {
		return this.records.list().stream().filter((record) -> record.toString().endsWith("-" + name(root))).toList();
	}

	private Path write(RepositoryState state) throws IOException {
		Path record = this.records.newPath(name(state.root()));
		Path draft = record.resolveSibling(record.getFileName() + DRAFT);
		Files.write(draft, state.toBytes(), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
				StandardOpenOption.WRITE, StandardOpenOption.SYNC);
		Files.move(draft, record, StandardCopyOption.ATOMIC_MOVE);
		try (FileChannel directory = FileChannel.open(record.resolveSibling(""), StandardOpenOption.READ)) {
			directory.force(true);
		}
		return record;
	}

	private static String name(Path root) {
		return Sha256.hex(root.toString(), 16);
	}

	/**
	 * A root with commands, or with a check that failed.
	 *
	 * @param before the last state that is known to be good
	 * @param record the file with that state, null if there is none
	 * @param commands the number of commands that are or may be running
	 * @param failed whether the last check failed
	 * @param readOnly whether these commands cannot write the configuration
	 */
	private record Watched(RepositoryState before, @Nullable Path record, int commands, boolean failed,
			boolean readOnly) {

		void delete() {
			try {
				if (this.record != null) {
					Files.deleteIfExists(this.record);
				}
			}
			catch (IOException ex) {
				logger.log(Level.WARNING, "The record of a repository cannot be deleted", ex);
			}
		}

	}

	/**
	 * A command in its roots. Safe for use by several threads.
	 */
	public static final class Watch {

		private final List<String> protectedPaths;

		private final AtomicReference<Function<Boolean, List<String>>> end;

		private Watch(List<String> protectedPaths, Function<Boolean, List<String>> end) {
			this.protectedPaths = protectedPaths;
			this.end = new AtomicReference<>(end);
		}

		/**
		 * Returns a watch of nothing.
		 * @param protectedPaths the paths that the command may not change
		 * @return the watch
		 */
		public static Watch none(List<String> protectedPaths) {
			return new Watch(protectedPaths, (ended) -> List.of());
		}

		/**
		 * Returns this watch with an action at its end.
		 * @param action the action, performed once, after the roots were checked
		 * @return a watch to be ended in place of this one
		 */
		public Watch andThen(Runnable action) {
			return new Watch(this.protectedPaths, (ended) -> {
				try {
					return end(ended);
				}
				finally {
					action.run();
				}
			});
		}

		/**
		 * Returns the paths that the command may not change.
		 * @return paths relative to each root
		 */
		public List<String> protectedPaths() {
			return this.protectedPaths;
		}

		/**
		 * Checks the roots. Later calls do nothing.
		 * @param ended whether the command has certainly ended, or was not started;
		 * otherwise its roots are watched as long as this JVM runs
		 * @return the names of the settings and files that were removed or put back
		 */
		public List<String> end(boolean ended) {
			return this.end.getAndSet((again) -> List.of()).apply(ended);
		}

	}

}

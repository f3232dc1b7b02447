package io.kairo.tools.trash;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.tree.OwnedTree;

/**
 * The trash of all workspaces, in a directory that only the user of the application can
 * enter: below it a directory for each tenant, and in that a directory for each
 * workspace. The store of the workspace moves deleted files there, by renaming if both
 * are on one file system, and back in the same way. The trash outlives the application;
 * several applications may share the directory. Safe for use by several threads.
 */
public final class TrashStore {

	private static final Logger logger = System.getLogger(TrashStore.class.getName());

	private static final int LOCKS = 32;

	/** Maximum time for counting an entry. An entry that takes longer is dropped. */
	private static final Duration MEASURING = Duration.ofSeconds(10);

	/** Difference of the clocks of hosts that share a directory. */
	private static final Duration TOLERANCE = Duration.ofMinutes(1);

	/** Prefix of a directory that is being removed. */
	private static final String GONE = "gone-";

	private final Path directory;

	private final TrashOptions options;

	private final Clock clock;

	private final Duration writable;

	/** Distinguishes workspaces that are not on disk from another application's. */
	private final String id = UUID.randomUUID().toString();

	/** By tenant: an eviction may affect all workspaces of a tenant. */
	private final List<ReentrantLock> locks = IntStream.range(0, LOCKS).mapToObj((i) -> new ReentrantLock()).toList();

	/**
	 * Creates a store. The disk is not accessed.
	 * @param directory the directory, created with mode 0700 when it is first needed;
	 * outside of every workspace, and not visible to commands
	 * @param options the bounds
	 */
	public TrashStore(Path directory, TrashOptions options) {
		this(directory, options, Clock.systemUTC());
	}

	/**
	 * Creates a store. The disk is not accessed.
	 * @param directory the directory, created with mode 0700 when it is first needed;
	 * outside of every workspace, and not visible to commands
	 * @param options the bounds
	 * @param clock the clock for the age of entries
	 */
	public TrashStore(Path directory, TrashOptions options, Clock clock) {
		this(directory, options, clock, BackgroundOptions.defaults().maxLifetime());
	}

	/**
	 * Creates a store. The disk is not accessed.
	 * @param directory the directory, created with mode 0700 when it is first needed;
	 * outside of every workspace, and not visible to commands
	 * @param options the bounds
	 * @param clock the clock for the age of entries
	 * @param writable the maximum lifetime of a command: a command that is in a directory
	 * while it is deleted, or has a file in it open, writes to it in the trash; so
	 * younger entries are measured again by {@link #sweep()}
	 */
	public TrashStore(Path directory, TrashOptions options, Clock clock, Duration writable) {
		this.directory = directory.toAbsolutePath().normalize();
		this.options = Objects.requireNonNull(options, "options");
		this.clock = Objects.requireNonNull(clock, "clock");
		this.writable = Objects.requireNonNull(writable, "writable");
	}

	/**
	 * Creates a store with the default bounds, beside the temporary files of the user.
	 * The disk is not accessed.
	 * @return the store
	 */
	public static TrashStore ofUser() {
		return new TrashStore(HostUser.besideTemporaryFiles("kairo-trash-"), TrashOptions.defaults());
	}

	/**
	 * Returns the bounds.
	 * @return the bounds
	 */
	public TrashOptions options() {
		return this.options;
	}

	/**
	 * Opens the trash of a workspace.
	 * @param tenantId the id of the tenant; no other tenant reaches the same trash
	 * @param workspace the workspace; if it is not on disk, its trash ends with this
	 * store
	 * @param files the files of the workspace
	 * @return the trash
	 * @throws IOException if the directory cannot be created
	 */
	public Trash open(String tenantId, Workspace workspace, WorkspaceFiles files) throws IOException {
		String owner = tenantId + "\n" + (workspace.onDisk() ? "" : this.id + workspace.id()) + "\n";
		String name = Sha256.hex(owner + files.root().root(), 16);
		ReentrantLock lock = lock(tenantId);
		lock.lock();
		try {
			OwnerOnly.require(OwnerOnly.createDirectories(this.directory));
			Path tenant = OwnerOnly.createDirectory(this.directory.resolve(tenantName(tenantId)));
			Path home = OwnerOnly.createDirectory(tenant.resolve(name));
			correct(OwnerOnly.createDirectory(home.resolve(name)), now());
			WorkspaceFiles wider = files.including(home);
			return new Trash(this, tenantId, home, files, (wider != null) ? wider : copying(files, home));
		}
		finally {
			lock.unlock();
		}
	}

	private static WorkspaceFiles copying(WorkspaceFiles files, Path home) {
		return new CopyingFiles(files, disk(home));
	}

	private static WorkspaceFiles disk(Path home) {
		return Disk.FACTORY.open(new LocalDirectoryWorkspaceProvider(home).acquire(WorkspaceRequest.writable(null)));
	}

	/**
	 * Removes the expired entries of all workspaces and the remains of interrupted
	 * removals, and drops entries that have grown beyond the bounds in the trash. To be
	 * called about every minute.
	 */
	public void sweep() {
		for (Path tenant : list(this.directory)) {
			ReentrantLock lock = this.locks.get(stripe(tenant.getFileName().toString()));
			list(tenant).forEach((home) -> measure(home, lock));
			lock.lock();
			try {
				for (Path home : list(tenant)) {
					sweep(home);
				}
				trimTenant(tenant, List.of());
				removeEmpty(tenant);
			}
			finally {
				lock.unlock();
			}
		}
	}

	private void sweep(Path home) {
		Path content = home.resolve(home.getFileName());
		Instant now = this.clock.instant();
		correct(content, now);
		Instant expired = now.minus(this.options.maxAge());
		for (Path each : list(content)) {
			TrashEntry entry = TrashEntry.in(each);
			if (entry == null || entry.deleted().isBefore(expired)) {
				remove(each);
			}
		}
		trim(entries(content), List.of(), TrashRoom.of(this.options, null));
		removeEmpty(content);
		removeEmpty(home);
	}

	/**
	 * Makes entries from before the clock was set back the latest, in their order, so
	 * that they neither outlive their age nor push out later deletions.
	 */
	private static void correct(Path content, Instant now) {
		Instant latest = now;
		for (Path each : entries(content)) {
			TrashEntry entry = TrashEntry.in(each);
			if (entry == null || !entry.deleted().isAfter(now.plus(TOLERANCE))) {
				return;
			}
			move(content, entry, entry.at(latest));
			latest = latest.minusMillis(1);
		}
	}

	/**
	 * Renames the directories of entries that commands have written to since their
	 * deletion. An entry never shrinks, since it may be the target of a copy by another
	 * process.
	 * @param lock the lock of the tenant, not held while an entry is measured
	 */
	private void measure(Path home, ReentrantLock lock) {
		Path content = home.resolve(home.getFileName());
		List<TrashEntry> young = entries(content).stream()
			.map(TrashEntry::in)
			.filter((entry) -> entry != null
					&& Duration.between(entry.deleted(), this.clock.instant()).compareTo(this.writable) < 0)
			.toList();
		if (young.isEmpty()) {
			return;
		}
		try {
			WorkspaceFiles files = disk(home);
			for (TrashEntry entry : young) {
				long end = System.nanoTime() + MEASURING.toNanos();
				TrashEntry now = entry.grown(
						TrashContent.of(Trash.within(home, entry), files, () -> System.nanoTime() > end),
						this.options.maxBytes() + 1);
				if (!now.equals(entry)) {
					rename(content, entry, now, lock);
				}
			}
		}
		catch (WorkspaceException ex) {
			logger.log(Level.DEBUG, "Cannot measure a trash; it is tried again later", ex);
		}
	}

	private static void rename(Path content, TrashEntry entry, TrashEntry now, ReentrantLock lock) {
		lock.lock();
		try {
			move(content, entry, now);
		}
		finally {
			lock.unlock();
		}
	}

	private static void move(Path content, TrashEntry entry, TrashEntry now) {
		try {
			Files.move(content.resolve(entry.directoryName()), content.resolve(now.directoryName()));
		}
		catch (NoSuchFileException ex) {
			// It was restored or dropped meanwhile.
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot rename an entry of the trash; it is tried again later", ex);
		}
	}

	private static void removeEmpty(Path directory) {
		try {
			Files.deleteIfExists(directory);
		}
		catch (IOException ex) {
			// It is in use.
		}
	}

	/**
	 * Drops the oldest entries of a workspace, and of its tenant, until the bounds hold.
	 * @param kept the new entries. They stay
	 * @param room the bounds of the workspace
	 * @return the number of dropped entries of the workspace
	 */
	int trim(String tenantId, Path content, List<Path> kept, TrashRoom room) {
		int dropped = trim(entries(content), kept, room);
		trimTenant(this.directory.resolve(tenantName(tenantId)), kept);
		return dropped;
	}

	private void trimTenant(Path tenant, List<Path> kept) {
		List<Path> all = new ArrayList<>();
		for (Path home : list(tenant)) {
			all.addAll(entries(home.resolve(home.getFileName())));
		}
		all.sort(Comparator.comparing((Path each) -> each.getFileName().toString()).reversed());
		trim(all, kept, TrashRoom.ofTenant(this.options));
	}

	private static int trim(List<Path> newestFirst, List<Path> kept, TrashRoom room) {
		Set<Path> order = new LinkedHashSet<>(kept);
		order.addAll(newestFirst);
		int dropped = 0;
		TrashRoom left = room;
		for (Path each : order) {
			TrashEntry entry = TrashEntry.in(each);
			left = (entry != null) ? left.without(entry) : left;
			if (left.exceeded() && !kept.contains(each)) {
				remove(each);
				dropped++;
			}
		}
		return dropped;
	}

	/**
	 * Returns the directories of the entries, the newest first.
	 */
	static List<Path> entries(Path content) {
		return list(content).stream()
			.filter((each) -> TrashEntry.in(each) != null)
			.sorted(Comparator.comparing((Path each) -> each.getFileName().toString()).reversed())
			.toList();
	}

	/**
	 * Removes the directory of an entry: at once for other calls, then from the disk.
	 */
	static void remove(Path entry) {
		try {
			Path gone = entry.getFileName().toString().startsWith(GONE) ? entry
					: Files.move(entry, entry.resolveSibling(GONE + entry.getFileName()));
			new OwnedTree(gone).remove();
		}
		catch (NoSuchFileException ex) {
			// Removed by another process.
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot remove an entry from the trash; it is tried again later", ex);
		}
	}

	private static List<Path> list(Path directory) {
		List<Path> paths = new ArrayList<>();
		if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
			try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
				stream.forEach(paths::add);
			}
			catch (IOException ex) {
				logger.log(Level.DEBUG, "Cannot list a directory of the trash", ex);
			}
		}
		return paths;
	}

	Instant now() {
		return this.clock.instant();
	}

	ReentrantLock lock(String tenantId) {
		return this.locks.get(stripe(tenantName(tenantId)));
	}

	private static int stripe(String tenantName) {
		return Math.floorMod(tenantName.hashCode(), LOCKS);
	}

	private static String tenantName(String tenantId) {
		return Sha256.hex(tenantId, 16);
	}

	/**
	 * Opens directories of the trash for stores that cannot do it, on first use.
	 */
	private static final class Disk {

		static final LocalWorkspaceFilesFactory FACTORY = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS);

	}

}

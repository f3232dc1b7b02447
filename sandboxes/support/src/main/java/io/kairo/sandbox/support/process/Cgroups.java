package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.kairo.host.ProcessIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Creates control groups for the commands of one sandbox, if this machine allows it and a
 * check succeeds. They are below the group of the JVM, in a directory named after the
 * JVM. The check runs once, on first use. Safe for use by several threads.
 */
public final class Cgroups implements AutoCloseable {

	private static final Logger logger = System.getLogger(Cgroups.class.getName());

	/**
	 * The beginning of the names of the groups of JVMs, followed by the identity of the
	 * JVM.
	 */
	static final String NAME = "kairo-";

	private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(3);

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final AtomicLong names = new AtomicLong();

	/** Closed groups that were not empty yet. */
	private final Queue<Cgroup> lingering = new ConcurrentLinkedQueue<>();

	private final Supplier<List<Path>> hierarchies;

	private final GroupSettings settings;

	private boolean searched;

	private volatile @Nullable Path base;

	private volatile String problem = "no control group can be created below the one of the JVM";

	/**
	 * Creates the groups of one sandbox.
	 */
	public Cgroups() {
		this(CgroupMount::own, GroupSettings.NONE);
	}

	/**
	 * Creates groups with settings.
	 * @param hierarchies the directories to try, the best first
	 * @param settings the settings of each group
	 */
	public Cgroups(List<Path> hierarchies, GroupSettings settings) {
		this(() -> hierarchies, settings);
	}

	/**
	 * Searches for the groups for setting controllers for the children of this JVM. Each
	 * controller of version 1 of control groups has its own group; the controllers of
	 * version 2 share one, since a process is in a single group there.
	 * @param controllers the names of the controllers, such as {@code memory}
	 * @return the controllers by the groups to try, the nearest group first; unavailable
	 * controllers are left out
	 */
	public static Map<List<Path>, List<String>> hierarchies(List<String> controllers) {
		return CgroupMount.ofControllers(controllers);
	}

	private Cgroups(Supplier<List<Path>> hierarchies, GroupSettings settings) {
		this.hierarchies = hierarchies;
		this.settings = settings;
	}

	/**
	 * Returns the problem that prevents the creation of groups.
	 * @return the problem, or null if groups can be created
	 */
	public @Nullable String problem() {
		return (find() != null) ? null : this.problem;
	}

	/**
	 * Returns whether the kernel accounts for the CPU time of groups.
	 * @return whether {@link Cgroup#cpuTime()} is known
	 */
	public boolean measuresCpuTime() {
		Path parent = find();
		return parent != null && Cgroup.cpuTime(parent).isPresent();
	}

	/**
	 * Creates a group.
	 * @return an empty group, or null if this machine does not allow it
	 * @throws IOException if creation worked before and fails now
	 */
	public @Nullable Cgroup create() throws IOException {
		Path parent = find();
		if (parent == null) {
			return null;
		}
		removeLingering();
		Path directory = parent.resolve("c" + this.names.incrementAndGet());
		try {
			Files.createDirectory(directory);
		}
		catch (NoSuchFileException ex) {
			// it was removed while it was empty
			Files.createDirectories(directory);
			this.settings.prepare(parent);
		}
		Cgroup group = new Cgroup(directory, this.lingering::add);
		try {
			this.settings.apply(directory);
			return group;
		}
		catch (IOException ex) {
			group.close();
			throw ex;
		}
	}

	/**
	 * Removes the empty groups. Waits up to three seconds for groups whose last process
	 * is about to end.
	 */
	@Override
	public void close() {
		long deadline = System.nanoTime() + CLOSE_NANOS;
		removeLingering();
		while (!this.lingering.isEmpty() && System.nanoTime() < deadline) {
			LockSupport.parkNanos(POLL_NANOS);
			removeLingering();
		}
		Path parent = this.base;
		if (parent != null && !Cgroup.remove(parent)) {
			logger.log(Level.DEBUG, "A control group of a closed sandbox is not empty");
		}
	}

	private void removeLingering() {
		for (Iterator<Cgroup> groups = this.lingering.iterator(); groups.hasNext();) {
			if (groups.next().remove()) {
				groups.remove();
			}
		}
	}

	private @Nullable Path find() {
		Path found = this.base;
		return (found != null) ? found : search();
	}

	private synchronized @Nullable Path search() {
		if (!this.searched) {
			this.searched = true;
			String name = NAME + ProcessIdentity.current().prefix() + UUID.randomUUID();
			List<Path> candidates = this.hierarchies.get();
			for (Path own : candidates) {
				Path candidate = own.resolve(name);
				if (holds(candidate)) {
					this.base = candidate;
					candidates.forEach(AbandonedCgroups::remove);
					break;
				}
			}
		}
		return this.base;
	}

	private boolean holds(Path candidate) {
		try {
			Files.createDirectory(candidate);
		}
		catch (IOException ex) {
			return false;
		}
		String failure = settingsProblem(candidate);
		if (failure == null) {
			failure = CgroupCheck.problem(candidate.resolve("check"));
		}
		if (failure != null) {
			this.problem = failure;
			Cgroup.remove(candidate);
		}
		return failure == null;
	}

	private @Nullable String settingsProblem(Path candidate) {
		Path group = candidate.resolve("settings");
		try {
			this.settings.prepare(candidate);
			Files.createDirectory(group);
			this.settings.apply(group);
			return null;
		}
		catch (IOException ex) {
			return "a control group here does not accept the limit";
		}
		finally {
			Cgroup.remove(group);
		}
	}

}

package io.kairo.sandbox.support.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.Sessions;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The caches of tenants. They are removed only while no session uses them. Safe for use
 * by several threads.
 */
public final class TenantCaches {

	private static final Logger logger = System.getLogger(TenantCaches.class.getName());

	private static final Duration MEASURED_EVERY = Duration.ofMinutes(1);

	private static final Duration SWEPT_EVERY = Duration.ofHours(12);

	private static final int NAME_BYTES = 16;

	private static final String REMOVED = "removed-";

	private final @Nullable CacheOptions options;

	private final String backend;

	private final @Nullable HostUser owner;

	private final Supplier<Sessions<?>> sessions;

	/** The caches that were measured, by the id of their tenant. */
	private final Map<String, Measured> measured = new ConcurrentHashMap<>();

	/** The tenants whose caches are being measured. */
	private final Set<String> measuring = ConcurrentHashMap.newKeySet();

	/** The uses by sessions of this sandbox. */
	private final Set<CacheMark> marks = ConcurrentHashMap.newKeySet();

	private final AtomicLong swept = new AtomicLong(System.nanoTime() - SWEPT_EVERY.toNanos());

	/**
	 * Creates the value.
	 * @param options the options; null for no caches
	 * @param backend the name of the backend, whose caches are its own
	 * @param owner the user that commands run as; null for the user of the JVM
	 * @param sessions supplies the sessions that use the caches
	 */
	public TenantCaches(@Nullable CacheOptions options, String backend, @Nullable HostUser owner,
			Supplier<Sessions<?>> sessions) {
		this.options = options;
		this.backend = backend;
		this.owner = owner;
		this.sessions = sessions;
	}

	/**
	 * Begins to use the caches of a tenant, which are created if they are missing. To be
	 * called while a session of the tenant begins. Commands work without them as well, so
	 * that a full disk is not a failure.
	 * @param tenant the tenant
	 * @return the use, to be closed at the end of the session; of no cache if there are
	 * none or they cannot be created
	 */
	public CacheUse use(TenantContext tenant) {
		CacheOptions options = this.options;
		if (options == null || options.names().isEmpty()) {
			return CacheUse.NONE;
		}
		try {
			Path own = directory(options, tenant.tenantId());
			create(options, own);
			sweepIfDue(options, touch(own));
			CacheMark mark = CacheMark.in(own);
			this.marks.add(mark);
			CacheUse use = null;
			try {
				use = CacheUse.of(directories(options, own), () -> unmark(mark));
				return use;
			}
			finally {
				if (use == null) {
					unmark(mark);
				}
			}
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Commands of tenant " + tenant.tenantId() + " have no caches", ex);
			return CacheUse.NONE;
		}
	}

	private void unmark(CacheMark mark) {
		this.marks.remove(mark);
		mark.close();
	}

	private void create(CacheOptions options, Path own) throws IOException {
		// others pass through the directories above
		OwnerOnly.createDirectory(options.directory());
		created(parent(options));
		created(own);
		if (this.owner != null) {
			HostUser.letPass(options.directory());
			HostUser.letPass(parent(options));
			HostUser.letPass(own);
		}
	}

	private Map<String, Path> directories(CacheOptions options, Path own) throws IOException {
		Map<String, Path> directories = new LinkedHashMap<>();
		for (String name : options.names()) {
			Path directory = own.resolve(name);
			if (isOfOther(directory)) {
				Path removed = Files.move(directory, removed(options), StandardCopyOption.ATOMIC_MOVE);
				DaemonThreads.startOrRun("kairo-caches", () -> delete(removed));
			}
			created(directory);
			if (this.owner != null) {
				this.owner.own(directory);
			}
			directories.put(name, directory.toRealPath());
		}
		return directories;
	}

	/**
	 * Returns whether a directory belongs to a user that commands ran as earlier.
	 */
	private boolean isOfOther(Path directory) throws IOException {
		return this.owner != null && Files.exists(directory, LinkOption.NOFOLLOW_LINKS)
				&& !Integer.valueOf(this.owner.uid())
					.equals(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS));
	}

	private static void delete(Path removed) {
		try {
			TreeDeletion.delete(removed);
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Removed caches could not be deleted; it is tried again later", ex);
		}
	}

	private void sweepIfDue(CacheOptions options, Instant now) {
		long last = this.swept.get();
		long time = System.nanoTime();
		if (time - last >= Math.min(SWEPT_EVERY.toNanos(), options.idleTimeout().toNanos())
				&& this.swept.compareAndSet(last, time)) {
			DaemonThreads.startOrRun("kairo-caches", () -> sweep(options, now));
		}
	}

	private Path parent(CacheOptions options) {
		return options.directory().resolve(this.backend);
	}

	private Path directory(CacheOptions options, String tenantId) {
		return parent(options).resolve(Sha256.hex(tenantId, NAME_BYTES));
	}

	private static Path created(Path directory) throws IOException {
		try {
			return Files.createDirectory(directory, OwnerOnly.directory(directory));
		}
		catch (FileAlreadyExistsException ex) {
			if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
				throw ex;
			}
			return directory;
		}
	}

	/**
	 * Removes the caches of a tenant if they have become too large, with the idle
	 * sessions that use them. To be called when the last command of the tenant has ended.
	 * Does not wait for that.
	 * @param tenant the tenant
	 */
	public void trim(TenantContext tenant) {
		CacheOptions options = this.options;
		String id = tenant.tenantId();
		if (options == null || options.names().isEmpty()) {
			return;
		}
		Measured last = this.measured.get(id);
		if ((last == null || last.tooLarge() || System.nanoTime() - last.time() >= MEASURED_EVERY.toNanos())
				&& this.measuring.add(id)) {
			DaemonThreads.startOrRun("kairo-caches", () -> {
				try {
					trim(options, tenant);
				}
				finally {
					this.measuring.remove(id);
				}
			});
		}
	}

	private void trim(CacheOptions options, TenantContext tenant) {
		String tenantId = tenant.tenantId();
		Path own = directory(options, tenantId);
		try {
			if (!Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
				return;
			}
			touch(own);
			if (!isTooLarge(options, tenant, own)) {
				return;
			}
			Path removed = removed(options);
			// otherwise they are removed after the command that runs now
			if (!CacheMark.isUsed(own, this.marks) && this.sessions.get().endIdle(tenantId, () -> move(own, removed))) {
				logger.log(Level.INFO, "The caches of tenant {0} had more than {1} bytes, and were removed", tenantId,
						options.maxBytes());
				forget(options, tenant);
				delete(removed);
			}
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "The caches of tenant " + tenantId + " could not be removed", ex);
		}
	}

	/**
	 * Measures the caches of a tenant, unless they were too large: measuring takes so
	 * long that the next command may have begun.
	 */
	private boolean isTooLarge(CacheOptions options, TenantContext tenant, Path own) throws IOException {
		Measured last = this.measured.get(tenant.tenantId());
		if (last != null && last.tooLarge()) {
			return true;
		}
		long bytes = new CacheSize(options.maxBytes()).of(own);
		options.listener().measured(tenant, Math.min(bytes, options.maxBytes()), options.maxBytes());
		boolean tooLarge = bytes > options.maxBytes();
		this.measured.put(tenant.tenantId(), new Measured(tenant, System.nanoTime(), tooLarge));
		return tooLarge;
	}

	private Path removed(CacheOptions options) {
		return parent(options).resolve(REMOVED + UUID.randomUUID());
	}

	private static void move(Path directory, Path removed) {
		try {
			Files.move(directory, removed, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Sets the time of the last use of a directory, by the clock of the file system.
	 * @return the time
	 */
	private static Instant touch(Path directory) throws IOException {
		Files.delete(Files.createTempFile(directory, "used", null));
		return Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).toInstant();
	}

	/**
	 * Removes the caches that have not been used for too long.
	 * @param now the time, by the clock of the file system
	 */
	private void sweep(CacheOptions options, Instant now) {
		Instant oldest = now.minus(options.idleTimeout());
		try {
			this.sessions.get().withTenants((tenants) -> {
				Set<Path> used = tenants.stream()
					.map((tenant) -> directory(options, tenant))
					.collect(Collectors.toSet());
				for (Path each : entries(parent(options))) {
					if (!isRemoved(each) && !used.contains(each) && isOlder(each, oldest)
							&& !CacheMark.isUsed(each, this.marks)) {
						move(each, removed(options));
					}
				}
			});
			for (Measured each : List.copyOf(this.measured.values())) {
				if (!Files.exists(directory(options, each.tenant().tenantId()))) {
					forget(options, each.tenant());
				}
			}
			entries(parent(options)).stream().filter(TenantCaches::isRemoved).forEach(TenantCaches::delete);
		}
		catch (UncheckedIOException ex) {
			logger.log(Level.WARNING, "Unused caches could not be removed", ex);
		}
	}

	private void forget(CacheOptions options, TenantContext tenant) {
		this.measured.remove(tenant.tenantId());
		options.listener().measured(tenant, 0, options.maxBytes());
	}

	private static boolean isRemoved(Path directory) {
		return directory.getFileName().toString().startsWith(REMOVED);
	}

	private static boolean isOlder(Path directory, Instant time) {
		try {
			return Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(time);
		}
		catch (IOException ex) {
			return false; // removed meanwhile
		}
	}

	private static List<Path> entries(Path directory) {
		List<Path> entries = new ArrayList<>();
		try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
			opened.forEach(entries::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return entries;
	}

	/**
	 * Caches that were measured.
	 *
	 * @param tenant their tenant
	 * @param time when, by {@link System#nanoTime()}
	 * @param tooLarge whether they are to be removed
	 */
	private record Measured(TenantContext tenant, long time, boolean tooLarge) {

	}

}

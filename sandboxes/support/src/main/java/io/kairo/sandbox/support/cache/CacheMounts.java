package io.kairo.sandbox.support.cache;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.Sessions;
import io.kairo.sandbox.support.mount.MountPlan;
import org.jspecify.annotations.Nullable;

/**
 * Mounts the caches of tenants for commands that belong to a session. Safe for use by
 * several threads.
 */
public final class CacheMounts implements AutoCloseable {

	private static final Logger logger = System.getLogger(CacheMounts.class.getName());

	private final @Nullable CacheOptions options;

	private final String backend;

	private final @Nullable HostUser owner;

	private final Path parent;

	private final Duration idleTimeout;

	/** By the names of the directories of their caches. */
	private final Map<String, Sessions<CacheUse>> sessions = new ConcurrentHashMap<>();

	/**
	 * Creates the value.
	 * @param options the options; null for no caches
	 * @param backend the name of the backend, whose caches are its own
	 * @param owner the user that commands run as; null for the user of the JVM or, if
	 * that is root, for the user of each command, who then has caches of its own
	 * @param parent the directory that contains the caches, as commands see it
	 * @param idleTimeout the time until a session without a command ends, above zero
	 */
	public CacheMounts(@Nullable CacheOptions options, String backend, @Nullable HostUser owner, Path parent,
			Duration idleTimeout) {
		Sessions.requireValid(idleTimeout, Sessions.DEFAULT_MAX_IDLE);
		this.options = options;
		this.backend = backend;
		this.owner = owner;
		this.parent = parent;
		this.idleTimeout = idleTimeout;
	}

	private Sessions<CacheUse> sessions(@Nullable HostUser user) {
		HostUser current = HostUser.current();
		if (this.owner == null && user != null && current != null && current.uid() == 0) {
			return this.sessions.computeIfAbsent(this.backend + "-" + user.uid(), (name) -> open(name, user));
		}
		return this.sessions.computeIfAbsent(this.backend, (name) -> open(name, this.owner));
	}

	private Sessions<CacheUse> open(String name, @Nullable HostUser user) {
		TenantCaches caches = new TenantCaches(this.options, name, user,
				() -> Objects.requireNonNull(this.sessions.get(name)));
		return new Sessions<>(this.idleTimeout, Sessions.DEFAULT_MAX_IDLE, false,
				(tenant, deadlines) -> caches.use(tenant), caches::trim);
	}

	/**
	 * Adds the caches of the tenant of a request to a plan. There are none for a request
	 * without a session, or with a mount in their place.
	 * @param plan the mounts of the command
	 * @param request the request
	 * @param user the user that the command runs as; null for the user of all commands
	 * @return their use, to be closed at the end of the command
	 */
	public Use addTo(MountPlan plan, SandboxRequest request, @Nullable HostUser user) {
		boolean covered = plan.entries()
			.stream()
			.map(MountPlan.Entry::target)
			.anyMatch((target) -> target.startsWith(this.parent) || this.parent.startsWith(target));
		try {
			Sessions<CacheUse>.Session session = covered ? null : sessions(user).take(request);
			if (session == null) {
				return Use.NONE;
			}
			List<Path> targets = new ArrayList<>();
			session.resource().directories().forEach((name, directory) -> {
				Path target = this.parent.resolve(name);
				plan.add(request.readOnly() ? MountPlan.Kind.READ_ONLY : MountPlan.Kind.WRITABLE, directory, target);
				targets.add(target);
			});
			return new Use(targets, session::close);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A command has no caches", ex);
			return Use.NONE;
		}
	}

	@Override
	public void close() {
		this.sessions.values().forEach(Sessions::close);
	}

	/**
	 * The use of caches by a command.
	 *
	 * @param targets the caches, as the command sees them, copied
	 * @param end ends the use
	 */
	public record Use(List<Path> targets, Runnable end) implements AutoCloseable {

		/**
		 * The use of no cache.
		 */
		public static final Use NONE = new Use(List.of(), () -> {
		});

		/**
		 * Creates the value.
		 */
		public Use {
			targets = List.copyOf(targets);
		}

		/**
		 * Ends the use. To be called once.
		 */
		@Override
		public void close() {
			this.end.run();
		}

	}

}

package io.kairo.tools.background;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The commands in the background of the sessions of an application, within the limits of
 * each tenant. Safe for use by several threads.
 */
public final class BackgroundCommands implements AutoCloseable {

	private final BackgroundOptions options;

	/** By tenant; guarded by this, like everything below. */
	private final Map<String, Integer> running = new HashMap<>();

	/** The commands that have ended, by tenant, the oldest first. */
	private final Map<String, Deque<BackgroundCommand>> ended = new HashMap<>();

	private final Set<SessionCommands> sessions = new LinkedHashSet<>();

	private boolean closed;

	/**
	 * Creates commands within limits.
	 * @param options the limits
	 */
	public BackgroundCommands(BackgroundOptions options) {
		this.options = options;
	}

	/**
	 * Opens the commands of a new session. No other session can access them.
	 * @param tenantId the tenant whose limit the commands count towards
	 * @return the commands, to be closed when the session ends
	 */
	public SessionCommands open(String tenantId) {
		SessionCommands session = new SessionCommands(this, tenantId);
		synchronized (this) {
			if (!this.closed) {
				this.sessions.add(session);
				return session;
			}
		}
		session.stop();
		return session;
	}

	/**
	 * Ends all commands, and starts no more.
	 */
	@Override
	public void close() {
		List<SessionCommands> open;
		synchronized (this) {
			this.closed = true;
			open = List.copyOf(this.sessions);
		}
		open.forEach(SessionCommands::stop);
		open.forEach(SessionCommands::close);
	}

	BackgroundOptions options() {
		return this.options;
	}

	/**
	 * Counts a command that is about to start.
	 * @throws TooManyCommandsException if the tenant runs too many
	 */
	synchronized void begin(String tenantId) {
		int now = this.running.getOrDefault(tenantId, 0);
		if (now >= this.options.maxPerTenant()) {
			throw new TooManyCommandsException(
					Phrase.of("%s in the background of your sessions already, and no more may at a time.",
							Phrase.count(now, "command runs", "commands run")));
		}
		this.running.put(tenantId, now + 1);
	}

	synchronized void end(String tenantId) {
		this.running.computeIfPresent(tenantId, (tenant, count) -> (count > 1) ? Integer.valueOf(count - 1) : null);
	}

	/**
	 * Keeps a command that has ended.
	 * @return the command that is forgotten in its place, null if there is room
	 */
	synchronized @Nullable BackgroundCommand keep(String tenantId, BackgroundCommand command) {
		Deque<BackgroundCommand> kept = this.ended.computeIfAbsent(tenantId, (tenant) -> new ArrayDeque<>());
		kept.add(command);
		return (kept.size() > this.options.maxEndedPerTenant()) ? kept.poll() : null;
	}

	synchronized void remove(SessionCommands session) {
		this.sessions.remove(session);
	}

	synchronized void forget(String tenantId, List<BackgroundCommand> commands) {
		this.ended.computeIfPresent(tenantId, (tenant, kept) -> {
			kept.removeAll(commands);
			return kept.isEmpty() ? null : kept;
		});
	}

}

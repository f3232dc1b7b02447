package io.kairo.tools;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A session and its users. Guarded by its {@link SessionTable}.
 */
final class KeptSession {

	private final @Nullable SessionKey key;

	private final AgentSession session;

	private int users;

	private long lastUse;

	private boolean ended;

	/**
	 * Creates it without users.
	 * @param key tells it from others, null if nobody finds it
	 * @param session the session
	 */
	KeptSession(@Nullable SessionKey key, AgentSession session) {
		this.key = key;
		this.session = session;
	}

	@Nullable SessionKey key() {
		return this.key;
	}

	AgentSession session() {
		return this.session;
	}

	boolean isUsed() {
		return this.users > 0;
	}

	/**
	 * Returns whether the last use is at least as long ago as a time-out says. One of
	 * more than 292 years, which no clock here can count, never is over.
	 */
	boolean isOutdated(long now, Duration timeout) {
		return now - this.lastUse >= TimeUnit.NANOSECONDS.convert(timeout);
	}

	void enter(long now) {
		this.users++;
		this.lastUse = now;
	}

	/**
	 * Takes one user away.
	 * @return whether the session must be ended now
	 */
	boolean leave(long now) {
		this.users--;
		this.lastUse = now;
		return this.ended && this.users == 0;
	}

	/**
	 * Lets it end with its last use.
	 * @return whether it must be ended now
	 */
	boolean end() {
		this.ended = true;
		return this.users == 0;
	}

}

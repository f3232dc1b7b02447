package io.kairo.sandbox.landlock;

import org.jspecify.annotations.Nullable;

/**
 * The temporary files and the domain of one command at a time. Commands with the same
 * access use them one after the other.
 *
 * @param access the access of its commands
 * @param files their temporary files
 * @param domain their domain
 * @param expires when it is not used again, by {@link System#nanoTime()}: the rules hold
 * for the files of the system that existed at its creation
 */
record PooledDomain(Access access, TemporaryFiles files, CommandDomain domain, long expires) implements AutoCloseable {

	/**
	 * Returns whether a command with the same access can use it.
	 * @param session the files of its session, or null
	 */
	boolean isFor(Access access, @Nullable TemporaryFiles session) {
		return this.access.equals(access)
				&& ((session != null) ? this.files.directory().equals(session.directory()) : !this.files.shared());
	}

	boolean isExpired() {
		return System.nanoTime() - this.expires >= 0;
	}

	/**
	 * Kills the remaining processes of its command, and removes the files.
	 */
	@Override
	public void close() {
		this.domain.close();
		this.files.close();
	}

}

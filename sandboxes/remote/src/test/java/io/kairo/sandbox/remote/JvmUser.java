package io.kairo.sandbox.remote;

import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import org.jspecify.annotations.Nullable;

/**
 * The user of the JVM. If that is root, the commands of a worker with bubblewrap run as
 * the user {@code nobody}.
 */
final class JvmUser {

	static final HostUser NOBODY = new HostUser(65534, 65534);

	private JvmUser() {
	}

	static boolean isRoot() {
		return Objects.requireNonNull(HostUser.current()).uid() == 0;
	}

	/**
	 * Returns the user that commands run as; null for that of the JVM.
	 */
	static @Nullable HostUser ofCommands() {
		return isRoot() ? new HostUser(NOBODY.uid(), NOBODY.gid()) : null;
	}

	static BubblewrapOptions bubblewrapOptions() {
		return isRoot()
				? BubblewrapOptions.DEFAULTS.with((changes) -> changes.commands((commands) -> commands.runAs(NOBODY)))
				: BubblewrapOptions.DEFAULTS;
	}

}

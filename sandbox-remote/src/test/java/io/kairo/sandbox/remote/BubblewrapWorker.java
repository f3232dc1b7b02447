package io.kairo.sandbox.remote;

import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.bubblewrap.RunAs;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of a worker with bubblewrap. If the JVM runs as root, commands run as the
 * user {@code nobody}.
 */
final class BubblewrapWorker {

	private BubblewrapWorker() {
	}

	/**
	 * Returns the user that commands run as; null for that of this JVM.
	 */
	static @Nullable HostUser user() {
		HostUser own = Objects.requireNonNull(HostUser.current());
		return (own.uid() == 0) ? new HostUser(65534, 65534) : null;
	}

	static BubblewrapOptions options() {
		HostUser user = user();
		return (user != null) ? BubblewrapOptions.defaults().withRunAs(new RunAs(user.uid(), user.gid()))
				: BubblewrapOptions.defaults();
	}

	/**
	 * Creates a sandbox for the worker.
	 */
	static BubblewrapSandbox sandbox() {
		return new BubblewrapSandbox(options());
	}

}

package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.host.HostUser;

/**
 * The user of the JVM. If that is root, commands run as the user {@code nobody}, who
 * needs access to their directories.
 */
final class JvmUser {

	static final HostUser NOBODY = new HostUser(65534, 65534);

	private JvmUser() {
	}

	static boolean isRoot() {
		return Objects.requireNonNull(HostUser.current()).uid() == 0;
	}

	static BubblewrapOptions bubblewrapOptions() {
		return isRoot()
				? BubblewrapOptions.DEFAULTS.with((changes) -> changes.commands((commands) -> commands.runAs(NOBODY)))
				: BubblewrapOptions.DEFAULTS;
	}

	/**
	 * Grants the user of commands access to the directories of a request.
	 */
	static SandboxRequest grantAccess(SandboxRequest request) {
		return isRoot() ? AccessGrantingSandbox.grantAccess(request, NOBODY.uid()) : request;
	}

	/**
	 * Grants the user of commands access to a path.
	 */
	static void grantAccess(Path directory) {
		AccessGrantingSandbox.grantAccess(directory, NOBODY.uid());
	}

	/**
	 * Returns a sandbox that grants the user of commands access to their directories.
	 */
	static ExecutionSandbox granting(ExecutionSandbox sandbox) {
		return isRoot() ? new AccessGrantingSandbox(sandbox, NOBODY.uid()) : sandbox;
	}

}

package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The user that commands run as, who is never root nor in its group: a group that has the
 * number of the user takes its place.
 *
 * @param configured the user that the options name, or null
 * @param own the user of this JVM; null if unknown
 */
record ContainerUser(@Nullable HostUser configured, @Nullable HostUser own) {

	/**
	 * Returns the configured user, else the user of the JVM, or null if that user is
	 * root: the owner of the workspace is the user then.
	 */
	@Nullable HostUser ofApplication() {
		HostUser own = this.own;
		if (this.configured != null || own == null || own.uid() == 0) {
			return this.configured;
		}
		return withoutGroupOfRoot(own);
	}

	/**
	 * Returns the user for a command.
	 * @throws SandboxException if the user would be root
	 */
	HostUser of(SandboxRequest request) {
		HostUser known = ofApplication();
		if (known != null) {
			return known;
		}
		CommandDirectory.of(request);
		HostUser owner;
		try {
			Map<String, Object> attributes = Files.readAttributes(request.workspaceRoot(), "unix:uid,gid");
			owner = new HostUser((Integer) attributes.getOrDefault("uid", 0),
					(Integer) attributes.getOrDefault("gid", 0));
		}
		catch (IOException | UnsupportedOperationException ex) {
			throw new SandboxException(SandboxErrorCode.SETUP_FAILED,
					"The owner of " + request.workspaceRoot() + " cannot be examined",
					"the operator has to name the user that commands run as", ex);
		}
		if (owner.uid() == 0) {
			throw new SandboxException(SandboxErrorCode.SETUP_FAILED,
					"The workspace " + request.workspaceRoot() + " belongs to root, and commands never run as root",
					"the operator has to give it to another user (chown), or to name the user that commands run as");
		}
		return withoutGroupOfRoot(owner);
	}

	private static HostUser withoutGroupOfRoot(HostUser user) {
		return (user.gid() != 0) ? user : new HostUser(user.uid(), user.uid());
	}

}

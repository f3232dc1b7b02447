package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * Creates the mounts for the requests of one sandbox. Safe for use by several threads.
 */
public final class RequestMounts {

	private final OwnPaths own;

	private final List<Path> hiddenPaths;

	private final MountPlaceholders placeholders;

	private final GitRedirects redirects = new GitRedirects();

	/**
	 * Creates the value.
	 * @param own the directories of the sandbox itself
	 * @param hiddenPaths further directories that no command sees
	 * @param placeholders the placeholders of the sandbox
	 */
	public RequestMounts(OwnPaths own, List<Path> hiddenPaths, MountPlaceholders placeholders) {
		this.own = own;
		this.hiddenPaths = hiddenPaths;
		this.placeholders = placeholders;
	}

	/**
	 * Restores the access of the user that commands run as to the directories of a
	 * request.
	 * @param request the request
	 * @param access the access of the user
	 * @throws SandboxException with {@link SandboxErrorCode#START_FAILED} if that fails
	 */
	public void restore(SandboxRequest request, OwnerAccess access) {
		try {
			access.restore(request, this.hiddenPaths);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"Access to a directory of the workspace could not be restored", "see the cause", ex);
		}
	}

	/**
	 * Creates the mounts of a request, with its protected paths and without the hidden
	 * directories.
	 * @param request the request
	 * @param roots its directories
	 * @param access the access of the user that the command runs as
	 * @param shown real paths of the directories of the host that the command sees
	 * besides its roots, by their paths in the sandbox
	 * @return the mounts, to be closed with the command
	 * @throws SandboxException if a directory cannot be hidden or a path not be protected
	 */
	public CommandMounts create(SandboxRequest request, Roots roots, OwnerAccess access, Map<Path, Path> shown) {
		CommandMounts mounts = new CommandMounts(roots, this.placeholders, this.redirects, access,
				() -> restore(request, access));
		boolean complete = false;
		try {
			mounts.hide(roots.hidden(this.own.get(), this.hiddenPaths), shown);
			mounts.protect(request.attributes().protectedPaths());
			complete = true;
			return mounts;
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"A directory that commands must not see cannot be examined", "see the cause", ex);
		}
		finally {
			if (!complete) {
				mounts.close();
			}
		}
	}

	/**
	 * The directories of a sandbox itself.
	 */
	@FunctionalInterface
	public interface OwnPaths {

		/**
		 * Returns the directories.
		 * @return existing directories
		 * @throws IOException if one cannot be created
		 */
		List<Path> get() throws IOException;

	}

}

package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs commands. Safe for use by several threads: any number of commands
 * run concurrently without seeing each other through the sandbox. An implementation that
 * is {@link AutoCloseable} ends every command when it is closed.
 */
@FunctionalInterface
public interface ExecutionSandbox {

	/**
	 * Starts a command and returns without waiting for it. The handle reports everything
	 * that happens to the command, including a failing exit and a timeout.
	 * @param request the command to run; a request that this sandbox cannot honour is
	 * refused, never honoured in part
	 * @return the running command. It is ended at the latest after the timeout of the
	 * request. Closing it releases its output; the output of a handle that is not closed
	 * may be kept longer.
	 * @throws SandboxException if the command could not be started
	 */
	SandboxHandle start(SandboxRequest request);

	/**
	 * Returns the capabilities that this sandbox enforces on this machine.
	 * @return the capabilities; none by default
	 */
	default SandboxCapabilities capabilities() {
		return SandboxCapabilities.none(getClass().getSimpleName());
	}

	/**
	 * Returns the capabilities that this sandbox enforces for the commands of one tenant.
	 * @param tenant the tenant
	 * @return the capabilities; by default the same for every tenant
	 */
	default SandboxCapabilities capabilities(TenantContext tenant) {
		return capabilities();
	}

	/**
	 * Returns the directory for temporary files that the commands of a session share, if
	 * this machine can read it without a command.
	 * @param tenant the owner of the session
	 * @param sessionId the id of the session, as in {@link SandboxAttributes#sessionId()}
	 * @return the directory; null, the default, if the session has none of its own yet or
	 * any more, or only commands reach it
	 */
	default @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
		return null;
	}

	/**
	 * Shows a directory to the commands of a session in such a way that they, and this
	 * machine, change a layer above it instead. The session begins if there is none.
	 * @param tenant the owner of the session
	 * @param sessionId the id of the session, as in {@link SandboxAttributes#sessionId()}
	 * @param lower the real path of the directory. What is in it should belong to the
	 * user of this process, who can read it; the rest cannot be changed
	 * @param layer an existing directory that nothing else uses. Its directory
	 * {@code upper} receives what is changed, in the format of overlayfs with
	 * {@code userxattr}: entries that are removed are character devices 0/0
	 * @return the overlay, to be closed before the layer is removed; null, the default,
	 * if there can be none. Something may be left in the layer then
	 */
	default @Nullable Overlay overlay(TenantContext tenant, String sessionId, Path lower, Path layer) {
		return null;
	}

	/**
	 * Returns the directories whose files the commands of a session share, those that run
	 * at the same time included, and that no other session has. A request that mounts a
	 * directory in one of them, or one of them in a directory, does not share it. The
	 * tools read these files by commands of the session, unless
	 * {@link #temporaryFiles(TenantContext, String)} shows them.
	 * @param tenant the owner of the session
	 * @return absolute paths for commands, such as {@code /tmp}; empty, the default, if
	 * each command has files of its own, or those of the machine
	 */
	default List<String> sharedDirectories(TenantContext tenant) {
		return List.of();
	}

}

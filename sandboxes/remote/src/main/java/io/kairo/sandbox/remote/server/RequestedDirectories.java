package io.kairo.sandbox.remote.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.StartMessage;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a command: of this machine, or of its copy.
 *
 * @param client the client
 * @param message the command
 * @param copy the copy; null if the command names none of its directories
 * @param enforced the capabilities of the sandbox; empty without a copy
 */
record RequestedDirectories(RemoteClient client, StartMessage message, @Nullable ServedCopy copy,
		Set<SandboxCapability> enforced) {

	/**
	 * Returns the directories of a command.
	 * @param copy returns the copy with its number
	 * @throws RefusedRequestException if it needs a copy and has none, or one of another
	 * tenant
	 */
	static RequestedDirectories of(RemoteClient client, StartMessage message, Supplier<ServedCopy> copy,
			ExecutionSandbox sandbox) {
		boolean copied = isCopied(message.workspace())
				|| message.mounts().stream().anyMatch((mount) -> isCopied(mount.source()));
		if (!copied) {
			return new RequestedDirectories(client, message, null, Set.of());
		}
		ServedCopy used = copy.get();
		StartMessage.TenantMessage tenant = message.tenant();
		if (!used.message().tenant().equals(tenant.id())) {
			throw new RefusedRequestException(ErrorMessage.FORBIDDEN, "The copy belongs to another tenant",
					"send one for the tenant of the command");
		}
		return new RequestedDirectories(client, message, used,
				sandbox.capabilities(new TenantContext(tenant.id(), tenant.principal())).enforced());
	}

	private static boolean isCopied(String directory) {
		return directory.startsWith(StartMessage.COPY);
	}

	/**
	 * Returns a directory of this machine.
	 * @throws RefusedRequestException if commands may not use it
	 */
	Path directory(String text) {
		return (this.copy != null && isCopied(text)) ? this.copy.directory(text.substring(StartMessage.COPY.length()))
				: this.client.directory(text, this.message.tenant().id());
	}

	/**
	 * Returns the directories that must contain the directories of the command when the
	 * sandbox uses them: another command may have replaced them with links by then.
	 */
	List<Path> allowedRoots() {
		Stream<Path> shared = this.client.rootsOf(this.message.tenant().id()).stream();
		return ((this.copy != null) ? Stream.concat(shared, Stream.of(this.copy.directory())) : shared).toList();
	}

	/**
	 * Returns the workspace path that the command sees: the path of the client, also for
	 * a copy, if the sandbox can show it there.
	 */
	@Nullable String workspaceTarget() {
		String target = this.message.workspaceTarget();
		String workspace = this.message.workspace();
		return (target == null && isShown() && isCopied(workspace)) ? workspace.substring(StartMessage.COPY.length())
				: target;
	}

	private boolean isShown() {
		return this.enforced.contains(SandboxCapability.MOUNTS);
	}

	/**
	 * Returns a mount. A sandbox that confines commands to directories at their own paths
	 * gets the path of the copy; any other must show the path of the client.
	 */
	SandboxAttributes.Mount mount(StartMessage.MountMessage mount) {
		Path source = directory(mount.source());
		boolean own = isCopied(mount.source()) && !isShown()
				&& this.enforced.contains(SandboxCapability.FILE_CONFINEMENT);
		return new SandboxAttributes.Mount(source, own ? source.toString() : mount.target(), mount.writable());
	}

	/**
	 * Returns the path that the client knows for a directory of this machine.
	 * @return null if the command has a copy, and the directory is neither in it nor in
	 * another directory of the command
	 */
	@Nullable String toClient(Path directory) {
		ServedCopy copied = this.copy;
		Path target = (copied != null) ? copied.toClient(directory) : null;
		if (target != null) {
			return StartMessage.COPY + target;
		}
		return (copied == null || isShared(this.message.workspace(), directory)
				|| this.message.mounts().stream().anyMatch((mount) -> isShared(mount.source(), directory)))
						? directory.toString() : null;
	}

	private static boolean isShared(String root, Path directory) {
		return !isCopied(root) && directory.startsWith(root);
	}

}

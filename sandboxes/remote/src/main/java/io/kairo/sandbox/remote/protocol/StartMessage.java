package io.kairo.sandbox.remote.protocol;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A command to start. All paths are paths of the worker, unless they begin with
 * {@link #COPY}. Immutable.
 *
 * @param command the command for the shell
 * @param workspace the directory of the workspace
 * @param workingDirectory the directory to start in; null for the workspace
 * @param workspaceTarget the path of the workspace as the command sees it; null for its
 * path on the worker
 * @param env variables added to the environment; null becomes empty
 * @param timeoutMillis the timeout in milliseconds
 * @param maxOutputBytes number of first bytes of the output to keep
 * @param tailBytes number of last bytes to keep beyond those
 * @param tenant the tenant
 * @param readOnly whether to prevent the command from changing the workspace
 * @param mounts the directories that the command sees as well; null becomes empty
 * @param protectedPaths the paths that the command may not change; null becomes empty
 * @param stdin whether the command can receive input
 * @param redirectErrorStream whether the command has one stream of output
 * @param sessionId the agent session, or null
 * @param background whether the command runs in the background
 * @param withoutNetwork whether the command has no network
 * @param requires the names of the capabilities that the command must not start without;
 * null becomes empty
 */
public record StartMessage(String command, String workspace, @Nullable String workingDirectory,
		@Nullable String workspaceTarget, Map<String, String> env, long timeoutMillis, long maxOutputBytes,
		long tailBytes, TenantMessage tenant, boolean readOnly, List<MountMessage> mounts, List<String> protectedPaths,
		boolean stdin, boolean redirectErrorStream, @Nullable String sessionId, boolean background,
		boolean withoutNetwork, List<String> requires) {

	/**
	 * The beginning of a directory in the {@link CopyMessage copy} with the number of the
	 * command, before the client's path of it.
	 */
	public static final String COPY = "copy:";

	/**
	 * Creates the message.
	 * @param command the command for the shell
	 * @param workspace the directory of the workspace
	 * @param workingDirectory the directory to start in, or null
	 * @param workspaceTarget the path of the workspace as the command sees it, or null
	 * @param env variables added to the environment; null becomes empty
	 * @param timeoutMillis the timeout in milliseconds
	 * @param maxOutputBytes number of first bytes of the output to keep
	 * @param tailBytes number of last bytes to keep beyond those
	 * @param tenant the tenant
	 * @param readOnly whether to prevent the command from changing the workspace
	 * @param mounts further directories; null becomes empty
	 * @param protectedPaths the paths that the command may not change; null becomes empty
	 * @param stdin whether the command can receive input
	 * @param redirectErrorStream whether the command has one stream of output
	 * @param sessionId the agent session, or null
	 * @param background whether the command runs in the background
	 * @param withoutNetwork whether the command has no network
	 * @param requires the names of the required capabilities; null becomes empty
	 * @throws IllegalArgumentException if a part that every command has is missing
	 */
	@SuppressWarnings("NullAway") // a client may leave out anything
	public StartMessage {
		env = (env != null) ? Map.copyOf(env) : Map.of();
		mounts = (mounts != null) ? List.copyOf(mounts) : List.of();
		requires = (requires != null) ? List.copyOf(requires) : List.of();
		protectedPaths = (protectedPaths != null) ? List.copyOf(protectedPaths) : List.of();
		if (command == null || workspace == null || tenant == null) {
			throw new IllegalArgumentException("The command, the workspace or the tenant is missing: give all of them");
		}
	}

	@Override
	public String toString() {
		// neither the command nor the environment: both may hold secrets
		return "StartMessage[workspace=" + this.workspace + ", tenant=" + this.tenant.id() + "]";
	}

	/**
	 * A tenant.
	 *
	 * @param id the tenant
	 * @param principal the user or service inside the tenant
	 * @param attributes further attributes of the caller; null becomes empty
	 */
	public record TenantMessage(String id, String principal, Map<String, String> attributes) {

		/**
		 * Creates the message.
		 * @param id the tenant
		 * @param principal the user or service inside the tenant
		 * @param attributes further attributes of the caller; null becomes empty
		 * @throws IllegalArgumentException if the id or the principal is missing
		 */
		@SuppressWarnings("NullAway") // a client may leave out anything
		public TenantMessage {
			if (id == null || principal == null) {
				throw new IllegalArgumentException("The tenant has no id or no principal: give both");
			}
			attributes = (attributes != null) ? Map.copyOf(attributes) : Map.of();
		}

	}

	/**
	 * A directory that the command sees.
	 *
	 * @param source the directory of the worker
	 * @param target the path of the directory as the command sees it
	 * @param writable whether the command may change it
	 */
	public record MountMessage(String source, String target, boolean writable) {

		/**
		 * Creates the message.
		 * @param source the directory of the worker
		 * @param target the path of the directory as the command sees it
		 * @param writable whether the command may change it
		 * @throws IllegalArgumentException if the source or the target is missing
		 */
		@SuppressWarnings("NullAway") // a client may leave out anything
		public MountMessage {
			if (source == null || target == null) {
				throw new IllegalArgumentException("A mount has no source or no target: give both");
			}
		}

	}

}

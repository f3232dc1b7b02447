package io.kairo.tools.command;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.ToolContext;
import org.jspecify.annotations.Nullable;

/**
 * The remark on a command that failed because of its sandbox: the cause, and what would
 * help. Each needs the words of the program that failed, and what is known of the sandbox
 * or the workspace: neither is enough without the other.
 *
 * @param context the context of the call
 * @param protectedPaths the paths that the command could not change
 */
record SandboxRemark(ToolContext context, List<String> protectedPaths) {

	private static final Logger logger = System.getLogger(SandboxRemark.class.getName());

	private static final String TYPE = "sandbox.type";

	/** The sandboxes with user names of their own. */
	private static final Set<String> OWN_USERS = Set.of("bubblewrap", "microvm");

	/** The reason of a failure is at the end of the output. */
	private static final int EXAMINED = 16_000;

	private static final Pattern UNRESOLVED = Pattern.compile("(?i)could not resolve (?:host|proxy)"
			+ "|unable to resolve host address|temporary failure (?:in name resolution|resolving)|name or service not known"
			+ "|network is unreachable|\\b(?:EAI_AGAIN|ENETUNREACH|UnknownHostException)\\b");

	private static final String REASON = "(?:read-only file system|device or resource busy)";

	/** A path in quotation marks, perhaps with the path that it is moved to. */
	private static final String QUOTED = "['‘]([^'’\\n]{1,512})['’](?: to ['‘][^'’\\n]{1,512}['’])?";

	/** A path that cannot be changed, in words of C, Java, Python or Node.js. */
	private static final Pattern UNCHANGEABLE = Pattern
		.compile("(?i)(?:" + QUOTED + "|(?<![^\\s'‘(:])(?!EROFS|EBUSY)([^\\s'‘(:]{1,512}))(?:: | \\()" + REASON + "|"
				+ REASON + "(?:: |, \\w+ )['\"]([^'\"\\n]{1,512})");

	/** The message of Git for a file {@code .git} that names a missing directory. */
	private static final Pattern NO_REPOSITORY = Pattern
		.compile("(?m)^fatal: not a git repository: ([^('\\n][^\\n]{0,4000})");

	private static final Pattern NO_PRIVILEGES = Pattern.compile("(?i)[\"“]?no new privileges[\"”]? flag is set");

	private static final Pattern NO_SEMAPHORES = Pattern
		.compile("(?i)(?:/dev/shm\\b[^\\n]{0,300}permission denied|permission denied[^\\n]{0,300}/dev/shm\\b)"
				+ "|PermissionError[^\\n]{0,300}(?s:.{0,40})SemLock|SemLock(?s:.{0,400})PermissionError");

	/**
	 * A refused access to the directories for temporary files, or to a file in there.
	 */
	private static final Pattern NO_TEMPORARY = Pattern
		.compile("(?im)^(?=.*(?:permission denied|EACCES|AccessDeniedException))"
				+ ".{0,300}?(?<![\\w./$}-])(/(?:var/)?tmp(?:/[^/\\s'\"’):]*)?)(?=[\\s'\"’):]|$)");

	/** A device that is not one of those that every sandbox has, or a link. */
	private static final String DEVICE = "/dev/(?!null|zero|full|u?random|tty\\b|fd\\b|std|shm|pts|ptmx|tcp|udp)[\\w/-]{1,64}";

	/** A missing device, in words of C, Python and QEMU. */
	private static final Pattern NO_DEVICE = Pattern.compile("(?i)(?<![\\w.~}-])" + DEVICE
			+ "['\"’]?(?:: | \\()no such file|no such file or directory: ['\"]" + DEVICE + "|could not access KVM");

	/**
	 * The failure to create a namespace, in words of util-linux, bubblewrap and browsers.
	 */
	private static final Pattern NO_NAMESPACES = Pattern
		.compile("(?i)\\b(?:unshare|clone)(?:\\(\\)|:)[^\\n]{0,40}operation not permitted|no usable sandbox"
				+ "|(?:move to|create a?) ?new namespace[^\\n]{0,120}(?:failed|not permitted|not allow)");

	private static final Pattern NO_USER = Pattern
		.compile("cannot find name for user ID|getpwuid\\(\\): uid not found|(?i)no user exists for uid");

	private static final Pattern PROXY_REFUSES = Pattern
		.compile("(?i)\\b407 proxy auth|\\bresponse 407\\b|\\bcode 407 from proxy");

	/**
	 * What Bash, Python, Java, Node.js and curl say where there are no sockets at all.
	 */
	private static final Pattern NO_SOCKETS = Pattern.compile(
			"(?i)\\bsocket: operation not permitted|/dev/tcp/\\S+: operation not permitted|SocketException: operation not permitted"
					+ "|\\b(?:listen|connect|bind) EPERM\\b|socket\\.py\"(?s:.{0,300})PermissionError: \\[Errno 1\\]"
					+ "|curl: \\(7\\) .*: couldn't connect to server");

	/**
	 * Returns the remark, and logs it for the operator with the setting that decides.
	 * @param output the output of a command that failed
	 * @return the remark, null if the sandbox is not known to be the cause
	 */
	@Nullable String on(String output) {
		Cause cause = cause(output.substring(Math.max(0, output.length() - EXAMINED)));
		if (cause == null) {
			return null;
		}
		logger.log(Level.INFO, "A command of tenant {0} failed, since {1}; the setting {2} decides",
				this.context.tenant().tenantId(), cause.remark(), cause.setting());
		return cause.remark();
	}

	private @Nullable Cause cause(String output) {
		SandboxCapabilities capabilities = this.context.sandbox().capabilities(this.context.tenant());
		Matcher repository = NO_REPOSITORY.matcher(output);
		if (repository.find() && locate(repository.group(1)) == null) {
			return new Cause(
					"this is a linked worktree or a submodule of Git, and its repository lies outside "
							+ "of the directories that commands see: ask for it to be added to the workspace",
					"workspace.add-dirs");
		}
		Cause cause = onUnchangeable(output, capabilities);
		if (cause == null) {
			cause = onNetwork(output, capabilities);
		}
		if (cause == null && NO_PRIVILEGES.matcher(output).find()) {
			cause = new Cause("commands cannot gain the rights of another user here", TYPE);
		}
		// the others have a file of their own
		if (cause == null && !OWN_USERS.contains(capabilities.backend()) && NO_USER.matcher(output).find()) {
			cause = new Cause("the user that commands run as has no name in /etc/passwd: name it to the program", TYPE);
		}
		if (cause == null && capabilities.has(SandboxCapability.FILE_CONFINEMENT)) {
			cause = onConfinement(output);
		}
		return (cause == null && capabilities.backend().equals("landlock")) ? onLandlock(output, capabilities) : cause;
	}

	private static @Nullable Cause onConfinement(String output) {
		if (NO_NAMESPACES.matcher(output).find()) {
			return new Cause("programs cannot create namespaces here: start them without a sandbox of their own, "
					+ "as a browser with --no-sandbox", TYPE);
		}
		return NO_DEVICE.matcher(output).find()
				? new Cause("commands have no devices but /dev/null, /dev/zero, /dev/random and the like", TYPE) : null;
	}

	private @Nullable Cause onLandlock(String output, SandboxCapabilities capabilities) {
		Matcher temporary = NO_TEMPORARY.matcher(output);
		if (temporary.find() && locate(temporary.group(1)) == null) {
			return new Cause("commands cannot use /tmp and /var/tmp here: use $TMPDIR", TYPE);
		}
		if (NO_SEMAPHORES.matcher(output).find()) {
			return new Cause("there are no named semaphores and no /dev/shm in this sandbox: use threads, or files in "
					+ "$TMPDIR", TYPE);
		}
		return (capabilities.has(SandboxCapability.NETWORK_OFF) && NO_SOCKETS.matcher(output).find()) ? new Cause(
				"there are no internet sockets in this sandbox, not even on localhost: run what needs none, "
						+ "such as tests without a server",
				TYPE) : null;
	}

	private static @Nullable Cause onNetwork(String output, SandboxCapabilities capabilities) {
		boolean unresolved = UNRESOLVED.matcher(output).find();
		if (unresolved && capabilities.has(SandboxCapability.NETWORK_OFF)) {
			return new Cause("commands have no network here: whatever comes from one has to be in the workspace or on "
					+ "the system", "sandbox.network");
		}
		return ((unresolved || PROXY_REFUSES.matcher(output).find())
				&& capabilities.has(SandboxCapability.NETWORK_ALLOW_LIST))
						? new Cause("commands reach listed hosts only, and only through the proxy that http_proxy and "
								+ "https_proxy name, with its user and password", "sandbox.network-allow")
						: null;
	}

	private @Nullable Cause onUnchangeable(String output, SandboxCapabilities capabilities) {
		for (Matcher matcher = UNCHANGEABLE.matcher(output); matcher.find();) {
			String path = (matcher.group(1) != null) ? matcher.group(1)
					: (matcher.group(2) != null) ? matcher.group(2) : matcher.group(3);
			WorkspacePath located = locate(path);
			if (located != null && isProtected(located)) {
				return new Cause("'" + this.context.files().display(located) + "' is protected from commands",
						"workspace.protected-paths");
			}
			if (matcher.group().toLowerCase(Locale.ROOT).contains("busy")) {
				continue;
			}
			if (located != null && isReadOnly()) {
				List<String> prefixes = policy().allowedPrefixes();
				return new Cause(
						"commands can only read " + (prefixes.isEmpty() ? "this workspace"
								: "this workspace, except for " + String.join(", ", prefixes)),
						prefixes.isEmpty() ? "workspace.read-only" : "workspace.allowed-prefixes");
			}
			if (located == null && !isReadOnly() && capabilities.has(SandboxCapability.FILE_CONFINEMENT)) {
				return new Cause(
						"commands can write to the workspace, to their home directory and to ${TMPDIR:-/tmp} only",
						"workspace.add-dirs");
			}
		}
		return null;
	}

	private WritePolicy policy() {
		return this.context.files().writePolicy();
	}

	private boolean isReadOnly() {
		return !this.context.currentWorkspace().writable() || policy().readOnly()
				|| !policy().allowedPrefixes().isEmpty();
	}

	private boolean isProtected(WorkspacePath path) {
		String relative = path.relative();
		return this.protectedPaths.stream()
			.anyMatch((each) -> relative.equals(each) || relative.startsWith(each + "/"));
	}

	private @Nullable WorkspacePath locate(String path) {
		try {
			return this.context.resolve(path);
		}
		catch (WorkspacePathException ex) {
			return null;
		}
	}

	/**
	 * The cause of a failed command.
	 *
	 * @param remark the remark for the model
	 * @param setting the setting that decides
	 */
	private record Cause(String remark, String setting) {

	}

}

package io.kairo.tools.command;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.sandbox.backend.CapabilityReport;
import io.kairo.tools.ToolContext;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxRemark}, with messages as programs print them.
 */
class SandboxRemarkTests {

	@TempDir
	Path root;

	private WritePolicy policy = WritePolicy.ALLOW_ALL;

	private SandboxCapabilities capabilities = confining().claim(SandboxCapability.NETWORK_OFF, "none")
		.of("bubblewrap");

	private static CapabilityReport confining() {
		return new CapabilityReport().lackAll("test").claim(SandboxCapability.FILE_CONFINEMENT, "mounts");
	}

	private String remark(String output) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		ToolContext context = ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(this.policy))
				.open(workspace))
			.sandbox(new Described(this.capabilities))
			.build();
		return new SandboxRemark(context, List.of(".git/hooks", ".mcp.json")).on(output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "curl: (6) Could not resolve host: example.org",
			"fatal: unable to access 'https://example.org/a.git/': Could not resolve host: example.org",
			"wget: unable to resolve host address ‘example.org’",
			"ssh: Could not resolve hostname example.org: Temporary failure in name resolution",
			"ping: example.org: Temporary failure in name resolution",
			"E: Failed to fetch http://deb.example.org/x  Temporary failure resolving 'deb.example.org'",
			"npm error code EAI_AGAIN\nnpm error syscall getaddrinfo",
			"socket.gaierror: [Errno -3] Temporary failure in name resolution",
			"socket.gaierror: [Errno -2] Name or service not known",
			"java.net.UnknownHostException: example.org: Temporary failure in name resolution",
			"Unknown host example.org: java.net.UnknownHostException",
			"connect to 192.0.2.1 port 80: Network is unreachable", "Error: connect ENETUNREACH 192.0.2.1:80" })
	void missingNetworkIsNamed(String output) {
		assertThat(remark(output)).startsWith("commands have no network");
		this.capabilities = confining().claim(SandboxCapability.NETWORK_ALLOW_LIST, "a proxy").of("bubblewrap");
		assertThat(remark(output)).contains("http_proxy");
		this.capabilities = confining().of("bubblewrap");
		assertThat(remark(output)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "touch: cannot touch '/usr/x': Read-only file system",
			"bash: line 1: /usr/x: Read-only file system",
			"mkdir: cannot create directory ‘/opt’: Read-only file system",
			"cp: cannot create regular file '/etc/my file': Read-only file system",
			"OSError: [Errno 30] Read-only file system: '/usr/x'", "Error: EROFS: read-only file system, open '/usr/x'",
			"java.nio.file.FileSystemException: /usr/x: Read-only file system",
			"java.io.FileNotFoundException: /usr/x (Read-only file system)" })
	void placesThatCanBeWrittenAreNamed(String output) {
		assertThat(remark(output)).startsWith("commands can write to the workspace, ");
		this.capabilities = new CapabilityReport().lackAll("a process").of("process");
		assertThat(remark(output)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "bash: line 1: .git/hooks/pre-commit: Read-only file system",
			"mv: cannot move '.git/hooks' to 'x': Device or resource busy",
			"rm: cannot remove '.git/hooks': Device or resource busy", "tee: .mcp.json: Read-only file system",
			"OSError: [Errno 30] Read-only file system: '.mcp.json'" })
	void protectedPathIsNamed(String output) {
		assertThat(remark(output)).endsWith("is protected from commands");
	}

	@Test
	void protectedPathIsNamedByItsAbsolutePath() {
		assertThat(remark("touch: cannot touch '" + this.root + "/.git/hooks/x': Read-only file system"))
			.endsWith("is protected from commands");
	}

	@Test
	void readOnlyWorkspaceIsNamed() {
		String output = "touch: cannot touch 'x': Read-only file system";
		assertThat(remark(output)).isNull();
		this.policy = new WritePolicy(true, List.of(), List.of());
		assertThat(remark(output)).isEqualTo("commands can only read this workspace");
		this.policy = new WritePolicy(false, List.of(), List.of("src", "out"));
		assertThat(remark(output)).isEqualTo("commands can only read this workspace, except for src, out");
	}

	@Test
	void linkedRepositoryIsNamed() {
		String output = "fatal: not a git repository: ";
		assertThat(remark(output + "/srv/main/.git/worktrees/work")).contains("linked worktree or a submodule");
		assertThat(remark(output + this.root + "/.git/modules/nosuch")).isNull();
		assertThat(remark(output + "'/srv/nosuch'")).isNull();
		assertThat(remark("fatal: not a git repository (or any of the parent directories): .git")).isNull();
	}

	@Test
	void missingPrivilegesAreNamed() {
		assertThat(remark("sudo: The \"no new privileges\" flag is set, which prevents sudo from running as root."))
			.contains("rights of another user");
	}

	@Test
	void refusalOfTheProxyIsNamed() {
		String output = "curl: (56) CONNECT tunnel failed, response 407";
		assertThat(remark(output)).isNull();
		this.capabilities = confining().claim(SandboxCapability.NETWORK_ALLOW_LIST, "a proxy").of("bubblewrap");
		assertThat(remark(output)).endsWith("with its user and password");
		assertThat(remark("HTTP/1.1 407 Proxy Authentication Required")).endsWith("with its user and password");
		assertThat(remark("Tests run: 407, Failures: 1")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "whoami: cannot find name for user ID 4711", "KeyError: 'getpwuid(): uid not found: 4711'",
			"No user exists for uid 4711" })
	void missingUserIsNamed(String output) {
		assertThat(remark(output)).isNull();
		this.capabilities = confining().of("landlock");
		assertThat(remark(output)).contains("/etc/passwd");
	}

	@ParameterizedTest
	@ValueSource(strings = { "unshare: unshare failed: Operation not permitted",
			"bwrap: No permissions to create new namespace, likely because the kernel does not allow",
			"[1:1:FATAL:zygote_host_impl_linux.cc] No usable sandbox! Update your kernel",
			"Failed to move to new namespace: PID namespaces supported, Network namespace supported, but failed: errno = Operation not permitted" })
	void missingNamespacesAreNamed(String output) {
		assertThat(remark(output)).contains("--no-sandbox");
		this.capabilities = new CapabilityReport().lackAll("a process").of("process");
		assertThat(remark(output)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "dd: failed to open '/dev/sda': No such file or directory",
			"bash: line 1: /dev/kvm: No such file or directory",
			"FileNotFoundError: [Errno 2] No such file or directory: '/dev/kvm'",
			"Could not access KVM kernel module: No such file or directory" })
	void missingDevicesAreNamed(String output) {
		assertThat(remark(output)).startsWith("commands have no devices");
		this.capabilities = new CapabilityReport().lackAll("a process").of("process");
		assertThat(remark(output)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "bash: line 1: /tmp/out.log: Permission denied",
			"touch: cannot touch '/tmp/x': Permission denied",
			"mkdir: cannot create directory ‘/var/tmp/x’: Permission denied",
			"mktemp: failed to create file via template '/tmp/a.XXXX': Permission denied",
			"PermissionError: [Errno 13] Permission denied: '/tmp/x'",
			"Error: EACCES: permission denied, open '/tmp/x'", "java.nio.file.AccessDeniedException: /tmp/x",
			"java.io.FileNotFoundException: /tmp/x (Permission denied)",
			"ls: cannot open directory '/tmp': Permission denied" })
	void missingDirectoryForTemporaryFilesIsNamed(String output) {
		assertThat(remark(output)).isNull();
		this.capabilities = confining().of("landlock");
		assertThat(remark(output)).endsWith("use $TMPDIR");
		assertThat(remark("bash: line 1: " + this.root + ": Permission denied")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "OSError: /dev/shm/x: Permission denied",
			"  File \"synchronize.py\", line 57, in __init__\n    sl = self._semlock = _multiprocessing.SemLock(\n"
					+ "PermissionError: [Errno 13] Permission denied" })
	void missingSemaphoresAreNamed(String output) {
		assertThat(remark(output)).isNull();
		this.capabilities = confining().of("landlock");
		assertThat(remark(output)).contains("no named semaphores");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bin/bash: socket: Operation not permitted",
			"/bin/bash: line 1: /dev/tcp/127.0.0.1/80: Operation not permitted",
			"Exception in thread \"main\" java.net.SocketException: Operation not permitted",
			"Error: listen EPERM: operation not permitted 0.0.0.0:8080",
			"  File \"/usr/lib/python3.11/socket.py\", line 232, in __init__\n"
					+ "    _socket.socket.__init__(self, family, type, proto, fileno)\n"
					+ "PermissionError: [Errno 1] Operation not permitted",
			"curl: (7) Failed to connect to 127.0.0.1 port 8123 after 0 ms: Couldn't connect to server" })
	void missingSocketsAreNamed(String output) {
		assertThat(remark(output)).isNull();
		this.capabilities = confining().claim(SandboxCapability.NETWORK_OFF, "a filter").of("landlock");
		assertThat(remark(output)).contains("not even on localhost");
		this.capabilities = confining().of("landlock");
		assertThat(remark(output)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "make: *** [Makefile:2: all] Error 1",
			"ls: cannot access 'x': No such file or directory", "bash: line 1: nosuch: command not found",
			"cat: /etc/shadow: Permission denied", "rm: cannot remove 'a': Directory not empty",
			"mv: cannot move 'a' to 'b': Device or resource busy", "umount: /mnt: target is busy.",
			"curl: (7) Failed to connect to localhost port 1: Connection refused",
			"curl: (22) The requested URL returned error: 404", "curl: (28) Operation timed out",
			"ssh: connect to host localhost port 22: Connection refused",
			"fatal: not a git repository (or any of the parent directories): .git",
			"error: pathspec 'x' did not match any file(s) known to git",
			"fatal: 'x' does not appear to be a git repository", "npm error code ENOENT", "npm error 404 Not Found",
			"Error: listen EADDRINUSE: address already in use :::80", "AssertionError: expected 1 but was 2",
			"[ERROR] COMPILATION ERROR :", "BUILD FAILURE", "java.lang.OutOfMemoryError: Java heap space",
			"java.net.ConnectException: Connection refused", "PermissionError: [Errno 13] Permission denied: 'x'",
			"ModuleNotFoundError: No module named 'x'", "sudo: a password is required", "Killed", "Segmentation fault",
			"No space left on device", "bash: line 1: ./tmp/run.sh: Permission denied",
			"bash: /srv/a/tmp/x: Permission denied", "/tmp/a/b/command-1/tmp/x: Permission denied",
			"bash: line 1: /dev/null/x: Not a directory", "cat: /dev/nul/x.txt: Is a directory",
			"warning: could not unshare the index", "clone failed: timeout",
			"FileNotFoundError: [Errno 2] No such file or directory: '/dev/fd/63'",
			"cat: ~/dev/app/x: No such file or directory", "at org.hibernate.proxy.A.initialize(A.java:407)",
			"chown: changing ownership of 'clone/x': Operation not permitted", "creating new namespace foo failed",
			"tests/resolve_test.py: could not resolve symbol host" })
	void ordinaryFailureHasNoRemark(String output) {
		assertThat(remark(output)).isNull();
		this.capabilities = confining().claim(SandboxCapability.NETWORK_OFF, "a filter").of("landlock");
		assertThat(remark(output)).isNull();
	}

	@Test
	void longLineIsExaminedQuickly() {
		assertThat(remark("x".repeat(1_000_000))).isNull();
		assertThat(remark("'".repeat(1_000_000))).isNull();
		this.capabilities = confining().of("landlock");
		for (String word : List.of("PermissionError", "/dev/", "/tmp", "/tmp/x ", "SemLock ", "clone:", "unshare() ",
				"/dev/shm", "permission denied ")) {
			remark(word.repeat(20_000));
		}
	}

	/**
	 * A sandbox that only has capabilities.
	 *
	 * @param capabilities the capabilities
	 */
	private record Described(SandboxCapabilities capabilities) implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new UnsupportedOperationException();
		}

	}

}

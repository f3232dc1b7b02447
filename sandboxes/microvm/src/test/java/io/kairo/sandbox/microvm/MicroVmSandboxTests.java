package io.kairo.sandbox.microvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.SharedSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.sandbox.microvm.MicroVmFixture.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests {@link MicroVmSandbox} beyond the contract.
 */
@RequiresMicroVm
class MicroVmSandboxTests {

	@Order(1) // deleted last
	@RegisterExtension
	private static final SharedWorkspace sharedWorkspace = new SharedWorkspace();

	@Order(2)
	@RegisterExtension
	private static final SharedSandbox<MicroVmSandbox> shared = MicroVmFixture.shared(MicroVmFixture.options());

	private Path workspace;

	private ExecutionSandbox sandbox;

	@BeforeEach
	void open() throws Exception {
		this.workspace = sharedWorkspace.get();
		MicroVmFixture.grantAccess(this.workspace);
		this.sandbox = shared.get();
	}

	@Test
	void commandRunsWithAKernelOfItsOwn() {
		Outcome outcome = run("cat /proc/sys/kernel/osrelease; echo made > file");
		assertThat(outcome.exit().exitCode()).as(outcome.err()).isZero();
		assertThat(outcome.out().strip()).isNotEqualTo(System.getProperty("os.version"));
		assertThat(this.workspace.resolve("file")).hasContent("made\n");
	}

	@Test
	void commandsOfOneTenantAndWorkspaceShareAMachine() {
		String boot = run("cat /proc/sys/kernel/random/boot_id").out();
		assertThat(run("cat /proc/sys/kernel/random/boot_id").out()).isEqualTo(boot);
		SandboxRequest other = new SandboxRequest.Builder("cat /proc/sys/kernel/random/boot_id", this.workspace)
			.tenant(new TenantContext("other", "user"))
			.build();
		assertThat(MicroVmFixture.run(this.sandbox, other).out()).isNotEqualTo(boot);
		SandboxRequest readOnly = new SandboxRequest.Builder("cat /proc/sys/kernel/random/boot_id", this.workspace)
			.readOnly(true)
			.build();
		assertThat(MicroVmFixture.run(this.sandbox, readOnly).out()).isNotEqualTo(boot);
	}

	@Test
	void commandsOfOneMachineSeeNoFilesAndProcessesOfEachOther() {
		try (SandboxHandle first = start("echo secret > /tmp/file; echo secret > ~/file; echo $$ > ready; sleep 60")) {
			await().until(() -> Files.exists(this.workspace.resolve("ready")));
			Outcome outcome = run("ls -A /tmp ~ /dev/shm; pgrep sleep || echo no sleep");
			assertThat(outcome.out()).doesNotContain("file").endsWith("no sleep\n");
			first.cancel();
		}
	}

	@Test
	void commandsOfASessionShareFilesAndALoopbackInterface() {
		String file = "/tmp/kept ~/kept /dev/shm/kept /var/tmp/kept";
		inSession("a", "echo kept | tee " + file);
		assertThat(inSession("a", "cat " + file)).isEqualTo("kept\n".repeat(4));
		assertThat(inSession("b", "ls " + file)).isEmpty();
		assertThat(run("ls " + file).out()).isEmpty();
		String serve = "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => q(127.0.0.1),"
				+ " LocalPort => 8080, Listen => 9) or die; while ($c = $s->accept) { print $c qq(served\\n); close $c }'";
		String connect = "exec 3<>/dev/tcp/127.0.0.1/8080 && cat <&3";
		try (SandboxHandle server = this.sandbox.start(request("a", serve))) {
			await().untilAsserted(() -> assertThat(inSession("a", connect)).isEqualTo("served\n"));
			assertThat(inSession("b", connect)).isEmpty();
			assertThat(run(connect).out()).isEmpty();
			assertThat(inSession("a", "cat /proc/net/dev | grep -c :; ls /proc/*/exe 2>&1 | grep -c perl"))
				.isEqualTo("1\n0\n");
			assertThat(server.exit().toFuture()).isNotDone();
		}
	}

	@Test
	void longestIdleSessionEndsWhereThereAreTooMany() {
		inSession("first", "echo kept > /tmp/kept");
		for (int i = 0; i < 16; i++) {
			inSession("next" + i, "echo kept > /tmp/kept");
		}
		assertThat(inSession("first", "cat /tmp/kept; : > /tmp/again; ls /tmp")).isEqualTo("again\n");
		assertThat(inSession("next15", "cat /tmp/kept")).isEqualTo("kept\n");
	}

	@Test
	void idleSessionsEndWhereTheirFilesTakeAQuarterOfTheMemory() {
		for (int i = 0; i < 8; i++) {
			assertThat(inSession("large" + i,
					"head -c 100000000 /dev/zero > /tmp/file; head -c 60000000 /dev/zero > ~/file"
							+ " && echo written"))
				.isEqualTo("written\n");
		}
		assertThat(inSession("large0", "ls /tmp")).isEmpty();
	}

	private SandboxRequest request(String session, String command) {
		return new SandboxRequest.Builder(command, this.workspace)
			.attributes(SandboxAttributes.builder().sessionId(session).workspaceTarget("/workspace").build())
			.build();
	}

	private String inSession(String session, String command) {
		return MicroVmFixture.run(this.sandbox, request(session, command)).out();
	}

	@Test
	void changesOfTheHostAreSeenAtOnce() throws Exception {
		Path file = this.workspace.resolve("file");
		for (int i = 0; i < 5; i++) {
			Files.writeString(file, "version " + i + "\n".repeat(i));
			MicroVmFixture.grantAccess(this.workspace);
			assertThat(run("cat file; stat -c %s file").out())
				.isEqualTo("version " + i + "\n".repeat(i) + Files.size(file) + "\n");
		}
	}

	@Test
	void filesOfACommandHaveItsUserAndTheTimeOfTheHost() throws Exception {
		Outcome outcome = run("touch file; [ file -nt /proc/self ] || true; date +%s.%N");
		assertThat(outcome.exit().exitCode()).as(outcome.err()).isZero();
		Integer owner = (Integer) Files.getAttribute(this.workspace.resolve("file"), "unix:uid");
		assertThat(owner).isEqualTo(MicroVmFixture.isRoot() ? MicroVmFixture.NOBODY.uid()
				: Objects.requireNonNull(HostUser.current()).uid());
		double difference = Double.parseDouble(outcome.out().strip()) - System.currentTimeMillis() / 1000.0;
		assertThat(difference).isBetween(-10.0, 1.0);
	}

	/**
	 * The mount on the host is read-only, so that a kernel that a command has taken over
	 * cannot write there either.
	 */
	@Test
	void protectedFileIsReadOnlyOnTheHost() throws Exception {
		Path hooks = Files.createDirectories(this.workspace.resolve(".git/hooks"));
		MicroVmFixture.grantAccess(this.workspace);
		SandboxRequest request = new SandboxRequest.Builder(
				"echo x > .git/hooks/pre-commit; mv .git other; rmdir .git/hooks; echo y > free; sleep 60",
				this.workspace)
			.attributes(SandboxAttributes.builder().protectedPaths(List.of(".git/hooks")).build())
			.build();
		try (SandboxHandle handle = this.sandbox.start(request)) {
			await().until(() -> Files.exists(this.workspace.resolve("free")));
			assertThat(hooks).isEmptyDirectory();
			assertThat(mountsOfFileServers()).anyMatch((line) -> line.contains("/.git/hooks ro,"));
			handle.cancel();
		}
	}

	@Test
	void protectedPathThatTheHostReplacedIsProtectedAgain() throws Exception {
		Path config = this.workspace.resolve(".git/config");
		SandboxAttributes attributes = SandboxAttributes.builder().protectedPaths(List.of(".git/config")).build();
		for (int i = 0; i < 3; i++) {
			Files.createDirectories(config.getParent());
			Files.deleteIfExists(config);
			Files.writeString(config, "kept");
			MicroVmFixture.grantAccess(this.workspace);
			SandboxRequest request = new SandboxRequest.Builder("echo x > .git/config; mv config .git/config; exit 3",
					this.workspace)
				.attributes(attributes)
				.build();
			assertThat(MicroVmFixture.run(this.sandbox, request).exit().exitCode()).isEqualTo(3);
			assertThat(config).hasContent("kept");
		}
	}

	/**
	 * Returns the mounts of the file servers that show the workspace to a machine.
	 */
	private List<String> mountsOfFileServers() throws Exception {
		List<String> mounts = new ArrayList<>();
		for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
			Path table = Path.of("/proc/" + process.pid() + "/mountinfo");
			if (process.info().command().orElse("").endsWith("virtiofsd") && Files.isReadable(table)) {
				List<String> lines = Files.readAllLines(table);
				if (lines.stream().anyMatch((line) -> line.contains(this.workspace.toString()))) {
					mounts.addAll(lines);
				}
			}
		}
		return mounts;
	}

	@Test
	void emulatorIsAnOrdinaryUserUnderSeccompWithoutCapabilities() throws Exception {
		try (SandboxHandle handle = start("echo running; sleep 60")) {
			handle.output().blockFirst();
			List<ProcessHandle> emulators = emulators().toList();
			assertThat(emulators).isNotEmpty();
			String status = Files.readString(Path.of("/proc/" + emulators.get(0).pid() + "/status"));
			assertThat(status).containsPattern("Seccomp:\\s+2")
				.containsPattern("NoNewPrivs:\\s+1")
				.containsPattern("CapEff:\\s+0+\n")
				.doesNotContainPattern("Uid:\\s+0\\s");
			handle.cancel();
		}
	}

	/**
	 * Returns the emulators of this JVM, without what confines them.
	 */
	private static Stream<ProcessHandle> emulators() {
		return ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().command().orElse("").endsWith("qemu-system-x86_64"));
	}

	private SandboxHandle start(String command) {
		return this.sandbox.start(new SandboxRequest.Builder(command, this.workspace).build());
	}

	private Outcome run(String command) {
		return MicroVmFixture.run(this.sandbox, new SandboxRequest.Builder(command, this.workspace).build());
	}

}

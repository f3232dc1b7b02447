package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.LoopbackProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests what the commands of one session share in a {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
@Tag("alone")
class BubblewrapSessionTests {

	private static final TenantContext TENANT = new TenantContext("tenant", "principal");

	private static final String SERVE = "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => q(127.0.0.1),"
			+ " LocalPort => 8080, Listen => 9) or die; while ($c = $s->accept) { print $c qq(served\\n); close $c }'";

	/** The end of the arguments of bubblewrap, without overlays and with them. */
	private static final Pattern WAITS = Pattern.compile("exec cat|read -r layer");

	private static final String CONNECT = "exec 3<>/dev/tcp/127.0.0.1/8080 && cat <&3";

	@RegisterExtension
	final LoopbackServer server = new LoopbackServer();

	@RegisterExtension
	final BubblewrapFixture fixture = new BubblewrapFixture((options) -> options.with((changes) -> changes.maxIdle(2)));

	@RegisterExtension
	final BubblewrapFixture restricted = new BubblewrapFixture((options) -> options
		.with((changes) -> changes.commands((commands) -> commands.allowList(AllowList.of(List.of("example.org"))))),
			(options) -> new BubblewrapSandbox(options,
					new Networks(LoopbackProxy.allowing(List.of(this.server.allowedHost())), RelayProgram.find(),
							options.commands().runAs())));

	@RegisterExtension
	final BubblewrapFixture connected = new BubblewrapFixture(
			(options) -> options.with((changes) -> changes.commands((commands) -> commands.network(Network.HOST))));

	@RegisterExtension
	final BubblewrapFixture unshared = new BubblewrapFixture(
			(options) -> options.with((changes) -> changes.maxIdle(0)));

	private static SandboxHandle start(BubblewrapFixture fixture, TenantContext tenant, String session,
			String command) {
		// the workspace of the host is in /tmp
		SandboxAttributes attributes = attributes(session).workspaceTarget("/workspace").build();
		return fixture.start(command,
				(request) -> request.tenant(tenant).timeout(Duration.ofSeconds(60)).attributes(attributes));
	}

	private static SandboxAttributes.Builder attributes(String session) {
		return SandboxAttributes.builder().sessionId(session);
	}

	private static String run(BubblewrapFixture fixture, TenantContext tenant, String session, String command) {
		try (SandboxHandle handle = start(fixture, tenant, session, command)) {
			BubblewrapFixture.Outcome outcome = BubblewrapFixture.outcome(handle);
			return outcome.err() + outcome.out();
		}
	}

	private String run(String session, String command) {
		return run(this.fixture, TENANT, session, command);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/tmp/file", "$HOME/.cache/file", "/dev/shm/file" })
	void nextCommandOfTheSessionSeesTemporaryFiles(String file) {
		run("a", "mkdir -p $(dirname " + file + "); echo kept > " + file);
		assertThat(run("a", "cat " + file)).isEqualTo("kept\n");
		assertThat(run("b", "cat " + file)).contains("No such file");
		assertThat(run(this.fixture, new TenantContext("tenant", "other"), "a", "cat " + file))
			.contains("No such file");
		assertThat(run(this.fixture, new TenantContext("other", "principal"), "a", "cat " + file))
			.contains("No such file");
		assertThat(this.fixture.run("cat " + file).err()).contains("No such file");
	}

	@Test
	void nextCommandReachesAServerOfTheSession() {
		for (BubblewrapFixture each : List.of(this.fixture, this.restricted)) {
			try (SandboxHandle server = start(each, TENANT, "a", SERVE)) {
				await().atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(run(each, TENANT, "a", CONNECT)).isEqualTo("served\n"));
				assertThat(run(each, TENANT, "b", CONNECT)).contains("refused").doesNotContain("served");
				assertThat(run(each, new TenantContext("other", "principal"), "a", CONNECT)).contains("refused");
				assertThat(server.exit().toFuture()).isNotDone();
			}
			await().untilAsserted(
					() -> assertThat(run(each, TENANT, "a", CONNECT)).as("after the command").contains("refused"));
		}
	}

	@Test
	void commandsOfASessionDoNotSeeEachOthersProcesses() {
		try (SandboxHandle other = start(this.fixture, TENANT, "a", "touch /tmp/started; sleep 600.1")) {
			await().untilAsserted(() -> assertThat(run("a", "ls /tmp")).isEqualTo("started\n"));
			assertThat(run("a", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '; kill -9 -1; echo ran"))
				.doesNotContain("600.1")
				.endsWith("ran\n");
			assertThat(other.exit().toFuture()).isNotDone();
		}
	}

	@Test
	void numberOfTemporaryFilesIsBounded() {
		try (BubblewrapSandbox small = new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes.commands((commands) -> commands.tmpfsBytes(1L << 20))))) {
			JvmUser.grantAccess(this.fixture.workspace());
			SandboxRequest request = new SandboxRequest.Builder(
					"for d in /tmp /dev/shm ~; do i=0; while : 2> /dev/null > $d/$i; do i=$((i + 1)); done; echo $i; done",
					this.fixture.workspace())
				.attributes(attributes("a").workspaceTarget("/workspace").build())
				.build();
			assertThat(BubblewrapFixture.outcome(small.start(request)).out()).isEqualTo("1023\n1023\n1023\n");
		}
	}

	@Test
	void refusalsOfTheNetworkAreToldToTheCommandThatCausedThem() {
		String refused = "curl -s -o /dev/null http://evil.test/";
		for (int i = 0; i < 2; i++) {
			assertThat(run(this.restricted, TENANT, "a", refused))
				.isEqualTo("kairo: the network refused evil.test:80 (not_listed)\n");
			assertThat(
					run(this.restricted, TENANT, "a", "curl -sS http://" + this.server.allowedHost() + "/ || echo no"))
				.isEqualTo("reached\n");
		}
	}

	@Test
	void linkOfACommandDoesNotLeadTheMountsOfTheNextOneElsewhere() throws IOException {
		Path victim = this.fixture.beside("victim");
		JvmUser.grantAccess(victim);
		Path workspace = this.fixture.workspace();
		String parent = workspace.getParent().toString();
		for (String root : List.of("/oldroot", "")) {
			run("a", "rm -rf " + parent + "; mkdir -p $(dirname " + parent + "); ln -s " + root + victim + " "
					+ parent);
			assertThat(run("a", "readlink " + parent)).as("the attack").isEqualTo(root + victim + "\n");
			BubblewrapFixture.Outcome next = this.fixture.run("pwd; ls -A /tmp; echo kept > written",
					(request) -> request.tenant(TENANT).attributes(attributes("a").build()));
			assertThat(next.out()).isEqualTo(workspace + "\n" + workspace.getParent().getFileName() + "\n");
			assertThat(workspace.resolve("written")).hasContent("kept");
			assertThat(victim).isEmptyDirectory();
		}
	}

	@Test
	void sessionWithTheNetworkOfTheHostSharesFiles() {
		run(this.connected, TENANT, "a", "echo kept > /tmp/file");
		assertThat(run(this.connected, TENANT, "a", "cat /tmp/file")).isEqualTo("kept\n");
		assertThat(run(this.connected, TENANT, "a", "exec 3<>/dev/tcp/127.0.0.1/" + this.server.port() + "; echo open"))
			.isEqualTo("open\n");
	}

	@Test
	void nothingIsSharedIfNoSessionMayBeIdle() {
		run(this.unshared, TENANT, "a", "echo kept > /tmp/file");
		assertThat(run(this.unshared, TENANT, "a", "cat /tmp/file")).contains("No such file");
	}

	@Test
	void tenantWithManySessionsEndsItsOwn() {
		TenantContext other = new TenantContext("other", "principal");
		run(this.fixture, other, "a", "echo kept > /tmp/file");
		for (String session : List.of("a", "b", "c")) {
			run(session, "echo kept > /tmp/file");
		}
		assertThat(run("a", "cat /tmp/file")).contains("No such file");
		assertThat(run(this.fixture, other, "a", "cat /tmp/file")).isEqualTo("kept\n");
	}

	@Test
	void sessionIsCreatedAgainIfItsProcessWasKilled() throws IOException {
		run("a", "echo kept > /tmp/file");
		assertThat(waiting()).hasSize(1).allMatch(ProcessHandle::destroyForcibly);
		await().untilAsserted(() -> assertThat(waiting()).isEmpty());
		assertThat(run("a", "cat /tmp/file; echo again > /tmp/file")).contains("No such file");
		assertThat(run("a", "cat /tmp/file")).isEqualTo("again\n");
	}

	@Test
	void processesEndWithTheSandbox() {
		run("a", "true");
		Set<ProcessHandle> before = waiting();
		assertThat(before).isNotEmpty();
		this.fixture.sandbox().close();
		await().untilAsserted(() -> assertThat(before).noneMatch(ProcessHandle::isAlive));
	}

	/**
	 * Returns the processes of bubblewrap that keep sessions of the first sandbox.
	 */
	private Set<ProcessHandle> waiting() {
		return ProcessHandle.current()
			.children()
			.filter((child) -> child.info().commandLine().filter(WAITS.asPredicate()).isPresent())
			.collect(Collectors.toSet());
	}

	@Test
	void idleSessionEnds() throws IOException {
		Path workspace = this.fixture.workspace();
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.idleTimeout(Duration.ofMillis(300))))) {
			SandboxRequest request = JvmUser
				.grantAccess(new SandboxRequest.Builder("ls /tmp; touch /tmp/file", workspace)
					.attributes(attributes("a").workspaceTarget("/workspace").build())
					.build());
			BubblewrapFixture.outcome(sandbox.start(request));
			await().untilAsserted(() -> assertThat(waiting()).isEmpty());
			assertThat(BubblewrapFixture.outcome(sandbox.start(request)).out()).isEmpty();
		}
	}

	@Test
	void commandsOfAnotherUserHaveNoOverlay() throws IOException {
		assumeThat(JvmUser.bubblewrapOptions().commands().runAs()).as("SKIPPED: commands run as the user of the JVM")
			.isNotNull();
		Path layer = Files.createDirectory(this.fixture.workspace().resolve("layer"));
		assertThat(this.fixture.sandbox().overlay(TENANT, "a", this.fixture.workspace(), layer)).isNull();
		assertThat(layer).isEmptyDirectory();
	}

}

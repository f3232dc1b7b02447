package io.kairo.sandbox.bubblewrap;

import java.util.List;

import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.UnixSockets;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import io.kairo.sandbox.support.proxy.LoopbackProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for each {@link RelayProgram}, and for a machine without any of them.
 */
@RequiresBubblewrap
class RelayProgramTests {

	@RegisterExtension
	final LoopbackServer server = new LoopbackServer();

	@RegisterExtension
	final BubblewrapFixture perl = fixture(RelayProgram.PERL);

	@RegisterExtension
	final BubblewrapFixture python = fixture(RelayProgram.PYTHON);

	private BubblewrapFixture fixture(RelayProgram relay) {
		return new BubblewrapFixture((options) -> options.with(
				(changes) -> changes.commands((commands) -> commands.allowList(AllowList.of(List.of("example.org"))))),
				(options) -> new BubblewrapSandbox(options,
						new Networks(LoopbackProxy.allowing(List.of(this.server.allowedHost())), relay,
								options.commands().runAs())));
	}

	private static void assumeInstalled(RelayProgram relay) {
		assumeThat(relay.path() != null || LoopbackServer.isBubblewrapRequired()).as("%s is in /usr/bin", relay)
			.isTrue();
	}

	private void assertTransfersLargeBodies(BubblewrapFixture fixture) {
		String command = "head -c 5000000 /dev/urandom > sent; for i in 1 2 3; do curl -sS --data-binary @sent http://"
				+ this.server.allowedHost() + "/ > got$i & done; wait; cmp sent got1 && cmp sent got2 && cmp sent got3 "
				+ "&& curl -sS --proxytunnel --data-binary @sent http://" + this.server.allowedHost()
				+ "/ | cmp - sent && echo same";
		BubblewrapFixture.Outcome outcome = fixture.run(command);
		assertThat(outcome.err()).isEmpty();
		assertThat(outcome.out()).isEqualTo("same\n");
	}

	@Test
	void perlRelayTransfersLargeBodies() {
		assumeInstalled(RelayProgram.PERL);
		assertTransfersLargeBodies(this.perl);
	}

	@Test
	void pythonRelayTransfersLargeBodies() {
		assumeInstalled(RelayProgram.PYTHON);
		assertTransfersLargeBodies(this.python);
	}

	@Test
	void clientThatDoesNotReadDoesNotDelayOthers() {
		assumeInstalled(RelayProgram.PERL);
		assumeInstalled(RelayProgram.PYTHON);
		for (BubblewrapFixture fixture : List.of(this.perl, this.python)) {
			String command = "head -c 20000000 /dev/zero > sent; exec 3<>/dev/tcp/127.0.0.1/3128; (printf 'CONNECT "
					+ this.server.allowedHost() + " HTTP/1.1\\r\\n\\r\\nPOST / HTTP/1.0\\r\\nContent-Length: 20000000"
					+ "\\r\\n\\r\\n'; cat sent) >&3 & sleep 1; curl -sS http://" + this.server.allowedHost() + "/";
			assertThat(fixture.run(command).out()).isEqualTo("reached\n");
		}
	}

	@Test
	void missingRelayProgramIsAProblem() {
		AllowListProxy proxy = LoopbackProxy.allowing(List.of(this.server.allowedHost()));
		BubblewrapOptions options = JvmUser.bubblewrapOptions()
			.with((changes) -> changes
				.commands((commands) -> commands.allowList(AllowList.of(List.of("example.org")))));
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(options,
				new Networks(proxy, null, options.commands().runAs()))) {
			BackendProblem problem = sandbox.problem();
			assertThat(problem).isNotNull();
			assertThat(problem.code()).isEqualTo("relay_missing");
			assertThat(sandbox.capabilities().enforced()).isEmpty();
		}
	}

	@Test
	void contradictoryNetworkOptionsAreRefused() {
		BubblewrapOptions options = JvmUser.bubblewrapOptions();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> options.with((changes) -> changes.unixSockets(UnixSockets.ALLOWED)
				.commands((commands) -> commands.allowList(AllowList.of(List.of("example.org"))))))
			.withMessageContaining("Unix domain sockets");
	}

}

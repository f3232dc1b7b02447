package io.kairo.sandbox.bubblewrap;

import java.util.List;

import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
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
 * Tests for each {@link RelayProgram}, and for a machine that has none.
 */
@RequiresBubblewrap
class RelayProgramTests {

	@RegisterExtension
	final LoopbackServer server = new LoopbackServer();

	@RegisterExtension
	final Confined perl = with(RelayProgram.PERL);

	@RegisterExtension
	final Confined python = with(RelayProgram.PYTHON);

	private Confined with(RelayProgram relay) {
		return new Confined((options) -> options.withNetwork(Network.ALLOW_LIST),
				(options) -> new BubblewrapSandbox(options,
						new Networks(LoopbackProxy.to(List.of(this.server.allowed())), relay, options.runAs())));
	}

	private static void assumeThere(RelayProgram relay) {
		assumeThat(relay.path() != null || LoopbackServer.isRequired()).as("%s is in /usr/bin", relay).isTrue();
	}

	private void muchGoesThrough(Confined confined) {
		String command = "head -c 5000000 /dev/urandom > sent; for i in 1 2 3; do curl -sS --data-binary @sent http://"
				+ this.server.allowed() + "/ > got$i & done; wait; cmp sent got1 && cmp sent got2 && cmp sent got3 "
				+ "&& curl -sS --proxytunnel --data-binary @sent http://" + this.server.allowed()
				+ "/ | cmp - sent && echo same";
		Confined.Outcome outcome = confined.run(command);
		assertThat(outcome.err()).isEmpty();
		assertThat(outcome.out()).isEqualTo("same\n");
	}

	@Test
	void muchGoesThroughPerl() {
		assumeThere(RelayProgram.PERL);
		muchGoesThrough(this.perl);
	}

	@Test
	void muchGoesThroughPython() {
		assumeThere(RelayProgram.PYTHON);
		muchGoesThrough(this.python);
	}

	@Test
	void clientThatDoesNotReadDoesNotDelayOthers() {
		assumeThere(RelayProgram.PERL);
		assumeThere(RelayProgram.PYTHON);
		for (Confined confined : List.of(this.perl, this.python)) {
			String command = "head -c 20000000 /dev/zero > sent; exec 3<>/dev/tcp/127.0.0.1/3128; (printf 'CONNECT "
					+ this.server.allowed() + " HTTP/1.1\\r\\n\\r\\nPOST / HTTP/1.0\\r\\nContent-Length: 20000000"
					+ "\\r\\n\\r\\n'; cat sent) >&3 & sleep 1; curl -sS http://" + this.server.allowed() + "/";
			assertThat(confined.run(command).out()).isEqualTo("reached\n");
		}
	}

	@Test
	void withoutARelayThereIsNoSandbox() {
		AllowListProxy proxy = LoopbackProxy.to(List.of(this.server.allowed()));
		BubblewrapOptions options = Machine.options().withNetwork(Network.ALLOW_LIST);
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(options, new Networks(proxy, null, options.runAs()))) {
			BubblewrapProblem problem = sandbox.problem();
			assertThat(problem).isNotNull();
			assertThat(problem.reason().code()).isEqualTo("relay_missing");
			assertThat(sandbox.capabilities().enforced()).isEmpty();
		}
	}

	@Test
	void contradictoryOptionsAreRefused() {
		AllowList list = AllowList.of(List.of("example.org"));
		BubblewrapOptions options = Machine.options();
		assertThatIllegalArgumentException().isThrownBy(() -> new BubblewrapSandbox(options, list))
			.withMessageContaining("NONE");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new BubblewrapSandbox(options.withNetwork(Network.ALLOW_LIST)))
			.withMessageContaining("ALLOW_LIST");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new BubblewrapSandbox(
					options.withNetwork(Network.ALLOW_LIST).withUnixSockets(UnixSockets.ALLOWED), list))
			.withMessageContaining("Unix domain sockets");
	}

}

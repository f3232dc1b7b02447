package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.CommandSettings.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the network access of a command in a {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
class BubblewrapNetworkTests {

	@RegisterExtension
	final BubblewrapFixture offline = new BubblewrapFixture();

	@RegisterExtension
	final BubblewrapFixture connected = new BubblewrapFixture(
			(options) -> options.with((changes) -> changes.commands((commands) -> commands.network(Network.HOST))));

	@Test
	void hostServiceIsReachableOnlyWithTheNetworkOfTheHost() throws IOException {
		try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
			String connect = "exec 3<>/dev/tcp/127.0.0.1/" + service.getLocalPort() + " && echo connected; true";
			assertThat(this.offline.run(connect).out()).isEmpty();
			assertThat(this.connected.run(connect).out()).as("the attack works with a network")
				.isEqualTo("connected\n");
			assertThat(this.connected.runWith((attributes) -> attributes.withoutNetwork(true), connect).out())
				.isEmpty();
			assertThat(this.connected.run(connect).out()).as("of the next command").isEqualTo("connected\n");
		}
	}

	@Test
	void sandboxHasOnlyALoopbackInterface() {
		assertThat(this.offline.run("grep -c : /proc/net/dev; cat /proc/net/route | wc -l").out()).isEqualTo("1\n1\n");
	}

	@Test
	void networkOffIsClaimedOnlyIfEnforced() {
		assertThat(this.offline.sandbox().capabilities().has(SandboxCapability.NETWORK_OFF)).isTrue();
		assertThat(this.connected.sandbox().capabilities().has(SandboxCapability.NETWORK_OFF)).isFalse();
		assertThat(this.connected.sandbox().capabilities().has(SandboxCapability.FILE_CONFINEMENT)).isTrue();
	}

}

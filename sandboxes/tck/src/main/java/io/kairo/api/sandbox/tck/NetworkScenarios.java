package io.kairo.api.sandbox.tck;

import java.net.InetAddress;
import java.nio.file.Files;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for requests without network, whatever network the sandbox has.
 */
abstract class NetworkScenarios {

	private static final UnaryOperator<SandboxRequest.Builder> OFFLINE = Trial
		.attributes((attributes) -> attributes.withoutNetwork(true));

	abstract Trial trial();

	@Test
	void requestWithoutNetworkReachesNoServiceOfTheHostOrIsRefused() throws Exception {
		try (Listeners listeners = new Listeners("reached")) {
			String command = "touch ran; bash -c 'cat < /dev/tcp/127.0.0.1/"
					+ listeners.tcp(InetAddress.getLoopbackAddress())
					+ "' 2>/dev/null; env | grep -i _proxy=; echo ran";
			if (!trial().claims(SandboxCapability.NETWORK_OFF_ON_REQUEST)) {
				trial().assertRefusedForLackOf(SandboxCapability.NETWORK_OFF_ON_REQUEST, command, OFFLINE);
				assertThat(Files.exists(trial().workspace().resolve("ran"))).as("run with the network").isFalse();
				return;
			}
			assertThat(trial().run(command, OFFLINE).out()).isEqualTo("ran\n");
			boolean confined = trial().claims(SandboxCapability.NETWORK_OFF)
					|| trial().claims(SandboxCapability.NETWORK_ALLOW_LIST);
			assertThat(trial().run(command).out().startsWith("reached\n")).as("reached by the next command")
				.isEqualTo(!confined);
			assertThat(trial().run(command, OFFLINE).out()).isEqualTo("ran\n");
		}
	}

}

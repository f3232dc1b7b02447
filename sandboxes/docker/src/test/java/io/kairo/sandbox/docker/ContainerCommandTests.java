package io.kairo.sandbox.docker;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link ContainerCommand}.
 */
class ContainerCommandTests {

	@TempDir
	Path temp;

	@Test
	void endThatIsKnownIsNotLostWithTheConnection() throws Exception {
		Container container = new Container("id",
				new ContainerSpec("", null, TestContainers.NOBODY, List.of(), List.of(), false, CommandLimits.NONE),
				new DockerEngine(TestContainers.options()), MountProof.TABLE, Duration.ofSeconds(1));
		OutputLog log = new OutputLog(1, 0, new PrivateDirectory(this.temp));
		ContainerCommand command = new ContainerCommand(container, null, log, new Roots(List.of()), false,
				Duration.ZERO, () -> {
				});
		byte[] end = ByteBuffer.allocate(14).putShort((short) (3 << 8)).putInt(2).putInt(1).putInt(500_000).array();
		command.receive('X', end, 0, end.length);
		command.lost();
		assertThat(command.await().exitCode()).isEqualTo(3);
		assertThat(command.settle()).isEqualTo(2);
		assertThat(command.cpuTime()).isEqualTo(Duration.ofMillis(1500));
		log.close();
		log.release();
	}

}

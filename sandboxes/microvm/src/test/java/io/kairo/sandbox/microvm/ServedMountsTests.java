package io.kairo.sandbox.microvm;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link ServedMounts}.
 */
@EnabledOnOs(OS.LINUX)
class ServedMountsTests {

	@Test
	void processThatHasDisappearedIsPassedOver() throws Exception {
		Process ended = new ProcessBuilder("true").start();
		ended.waitFor();
		Process serving = new ProcessBuilder("sleep", "60").start();
		try (ServedMounts mounts = ServedMounts.of(server(ended, serving), List.of())) {
			assertThat(mounts.areComplete()).isTrue();
		}
		finally {
			serving.destroyForcibly().waitFor();
		}
		assertThatIOException().isThrownBy(() -> ServedMounts.of(server(ended), List.of()))
			.withMessageContaining("has ended");
	}

	private static ProcessHandle server(Process... descendants) {
		return (ProcessHandle) Proxy.newProxyInstance(ServedMountsTests.class.getClassLoader(),
				new Class<?>[] { ProcessHandle.class },
				(proxy, method, arguments) -> Stream.of(descendants).map(Process::toHandle));
	}

}

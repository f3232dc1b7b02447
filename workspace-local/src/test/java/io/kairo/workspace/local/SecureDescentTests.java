package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link Descent} by {@link SecureDirectory}.
 */
class SecureDescentTests extends AbstractDescentTests {

	@Override
	DirectoryOpener opener() {
		return DirectoryOpener.platform();
	}

	@Test
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void anEntryThatBecameAFifoDoesNotBlockForever() throws Exception {
		Path fifo = TestWorkspaces.fifo(this.root.resolve("fifo")).getFileName();
		try (OpenDirectory directory = opener().open(this.root)) {
			assertThat(directory).isInstanceOf(SecureDirectory.class);
			long start = System.nanoTime();
			assertThatIOException().isThrownBy(() -> directory.directory(fifo));
			assertThat(System.nanoTime() - start).as("was blocked").isGreaterThan(TimeUnit.MILLISECONDS.toNanos(500));
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> directory.file(fifo));
		}
	}

}

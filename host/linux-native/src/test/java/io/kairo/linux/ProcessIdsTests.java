package io.kairo.linux;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link ProcessIds}.
 */
class ProcessIdsTests {

	private final NativeLinux linux = NativeLinux.find();

	@BeforeEach
	void requireCalls() {
		assumeThat(this.linux.problem()).as("SKIPPED: no system calls").isNull();
	}

	@Test
	void idIsUsedByAProcessUntilItWasWaitedFor() throws Exception {
		try (Spawn spawn = new Spawn(this.linux, List.of("/bin/cat"), Map.of(), Path.of("/"), true, false)) {
			spawn.start();
			try (Child child = spawn.child()) {
				assertThat(isFree(child.pid())).isFalse();
				child.input().close();
				while (!isZombie(child.pid())) {
					Thread.onSpinWait();
				}
				assertThat(isFree(child.pid())).isFalse();
				assertThat(child.awaitExit(10_000)).isTrue();
				assertThat(isFree(child.pid())).isTrue();
			}
		}
	}

	@Test
	void idsOfThreadsOfThisJvmAreFreeAndThoseOfOthersAreNot() throws Exception {
		AtomicLong id = new AtomicLong();
		CountDownLatch known = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		Thread thread = new Thread(() -> {
			try {
				id.set(this.linux.threadId());
				known.countDown();
				end.await();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		thread.start();
		try {
			known.await();
			assertThat(isFree(id.get())).isTrue();
			assertThat(isFree(ProcessHandle.current().pid())).isTrue();
			long other = ProcessHandle.current().parent().orElseThrow().pid();
			assertThat(isFree(other)).isFalse();
			assertThat(ProcessIds.areFree(this.linux, other, other + 1)).isFalse();
		}
		finally {
			end.countDown();
			thread.join();
		}
	}

	private boolean isFree(long id) {
		return ProcessIds.areFree(this.linux, id, id);
	}

	private static boolean isZombie(long id) throws Exception {
		return Files.readString(Path.of("/proc/" + id + "/stat")).contains(") Z ");
	}

}

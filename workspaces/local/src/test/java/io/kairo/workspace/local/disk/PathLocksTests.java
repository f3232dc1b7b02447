package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PathLocks}.
 */
@Timeout(60)
class PathLocksTests {

	private static final Path ONE = Path.of("/files/one");

	private static final Path OTHER = Path.of("/files/other");

	private static final Path THIRD = Path.of("/files/third");

	@TempDir
	Path temp;

	/**
	 * Checks that an acquire of some paths waits for the release of others.
	 */
	private static void requireWaiting(PathLocks locks, List<Path> held, PathLocks others, List<Path> wanted)
			throws Exception {
		AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
		Thread waiting = new Thread(() -> {
			try {
				others.acquire(wanted).close();
			}
			catch (IOException ex) {
				failure.set(ex);
			}
		}, "waiting");
		try (PathLocks.Hold hold = locks.acquire(held)) {
			waiting.start();
			Awaitility.await()
				.until(waiting::getState, (state) -> state == Thread.State.TIMED_WAITING || !waiting.isAlive());
			assertThat(waiting.isAlive()).as("%s waits for %s", wanted, held).isTrue();
		}
		waiting.join();
		assertThat(failure.get()).isNull();
	}

	@Test
	void acquireLocksEachOfSeveralPaths() throws Exception {
		PathLocks locks = new PathLocks(null);
		for (Path wanted : List.of(ONE, OTHER, THIRD)) {
			requireWaiting(locks, List.of(ONE, OTHER, THIRD), locks, List.of(wanted));
		}
		try (PathLocks.Hold hold = locks.acquire(List.of(ONE, OTHER))) {
			Thread free = new Thread(() -> acquireAndLeave(locks, THIRD));
			free.start();
			free.join();
		}
	}

	private static void acquireAndLeave(PathLocks locks, Path path) {
		try {
			locks.acquire(List.of(path)).close();
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void equivalentNamesShareALock() throws Exception {
		PathLocks locks = new PathLocks(null);
		requireWaiting(locks, List.of(ONE), locks, List.of(Path.of("/files/ONE")));
		requireWaiting(locks, List.of(Path.of("/files/caf\u00e9")), locks, List.of(Path.of("/files/cafe\u0301")));
	}

	@Test
	void acquireLocksPathsForOtherFactoriesWithTheSameStateDirectory() throws Exception {
		StateDirectory state = new StateDirectory(this.temp.toRealPath().resolve("state"));
		for (Path wanted : List.of(ONE, OTHER)) {
			requireWaiting(new PathLocks(state), List.of(ONE, OTHER), new PathLocks(state), List.of(wanted));
		}
	}

}

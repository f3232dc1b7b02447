package io.kairo.workspace.local.disk;

import java.util.List;
import java.util.function.Supplier;

import io.kairo.workspace.local.disk.handle.AbandonableTask;
import io.kairo.workspace.local.disk.handle.SharedDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for {@link WalkWorkers}.
 */
class WalkWorkersTests {

	private WalkWorkers<Directory, RuntimeException> workers;

	@Test
	@Timeout(10)
	void workEndsIfThreadHasNoMemoryToStopIt() {
		this.workers = new WalkWorkers<>(WalkWorkersTests::start, this::work, (directory) -> fail("not lost"), 16);
		this.workers.add(List.of(new Directory(WalkWorkersTests::open)));
		assertThatIllegalStateException().isThrownBy(() -> this.workers.run(this.workers::stop)).withMessage("failed");
	}

	private void work(Directory directory) {
		Directory waiting = new Directory(() -> {
			throw new OutOfMemoryError("in the test");
		});
		this.workers.add(List.of(waiting));
		throw new IllegalStateException("failed");
	}

	private static SharedDirectory<?> open() {
		SharedDirectory<?> directory = new SharedDirectory<>(null);
		directory.retain(1);
		return directory;
	}

	private static void start(AbandonableTask work) {
		Thread thread = new Thread(work::run);
		thread.setUncaughtExceptionHandler((ended, thrown) -> {
		});
		thread.start();
	}

	/**
	 * A directory that is released by a supplier.
	 */
	private record Directory(Supplier<SharedDirectory<?>> shared) implements WalkWorkers.Task {

		@Override
		public SharedDirectory<?> parent() {
			return this.shared.get();
		}

	}

}

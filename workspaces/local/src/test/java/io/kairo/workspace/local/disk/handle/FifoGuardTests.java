package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.kairo.workspace.local.disk.TestWorkspaces;
import io.kairo.workspace.local.disk.WalkWorkers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link FifoGuard} and {@link OpenWatch}.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FifoGuardTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@TempDir
	Path directory;

	private Path fifo;

	private Path file;

	private final FifoGuard guard = FifoGuard.create();

	private final FifoGuard inWorkspace = this.guard.of(Path.of("workspace"));

	private final Queue<SeekableByteChannel> opened = new ConcurrentLinkedQueue<>();

	@BeforeEach
	void createFiles() throws Exception {
		this.fifo = this.directory.resolve("fifo");
		TestWorkspaces.fifo(this.fifo);
		this.file = Files.writeString(this.directory.resolve("file"), "text");
	}

	@AfterEach
	void openOtherEnd() throws IOException {
		Files.newByteChannel(this.fifo, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
	}

	@Test
	void openOfNamedFifoIsUnblocked() throws IOException {
		this.guard.open(new FifoGuard.ByPath(this.fifo), () -> Files.newByteChannel(this.fifo)).close();
	}

	@Test
	void tooManyStuckOpensOfWorkspaceFailItsOthersUntilTheyReturn() throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(OpenWatch.MAX_LOST);
		try {
			List<Future<SeekableByteChannel>> stuck = IntStream.range(0, OpenWatch.MAX_LOST)
				.mapToObj((i) -> callers.submit(() -> open(this.inWorkspace, this.fifo)))
				.toList();
			for (Future<SeekableByteChannel> open : stuck) {
				assertThat(open).failsWithin(PATIENCE)
					.withThrowableThat()
					.withCauseInstanceOf(StuckOpenException.class)
					.withMessageContaining("within 5 seconds");
			}
		}
		finally {
			callers.shutdownNow();
		}
		assertThatExceptionOfType(StuckOpenException.class).isThrownBy(() -> open(this.inWorkspace, this.file))
			.withMessageContaining("8 opens");
		open(this.guard.of(Path.of("other")), this.file).close();
		openOtherEnd();
		await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> open(this.inWorkspace, this.file).close());
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.opened).hasSizeGreaterThan(OpenWatch.MAX_LOST)
				.noneMatch(SeekableByteChannel::isOpen));
	}

	@Test
	void lostThreadsOfWorkspaceCountForSomeTime() throws Exception {
		FifoGuard forgetful = FifoGuard.create(140).of(Path.of("workspace"));
		ExecutorService callers = Executors.newFixedThreadPool(OpenWatch.MAX_LOST);
		try {
			List<Future<SeekableByteChannel>> stuck = IntStream.range(0, OpenWatch.MAX_LOST)
				.mapToObj((i) -> callers.submit(() -> open(forgetful, this.fifo)))
				.toList();
			for (Future<SeekableByteChannel> open : stuck) {
				assertThat(open).failsWithin(PATIENCE);
			}
		}
		finally {
			callers.shutdownNow();
		}
		await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> open(forgetful, this.file).close());
		assertThat(this.opened).as("opens that have returned").hasSize(1);
	}

	@Test
	void directoryOfStuckOpenIsClosedWhenItReturns() throws Exception {
		SecureDirectory opened = (SecureDirectory) DirectoryOpener.platform().open(this.directory.toRealPath());
		assertThat(opened.self().isDirectory()).isTrue();
		opened.retain(1);
		opened.close();
		assertThat(opened.self().isDirectory()).isTrue();
		opened.retain(-1);
		assertThatExceptionOfType(ClosedDirectoryStreamException.class).isThrownBy(opened::self);
	}

	@Test
	void interruptOfCallerStaysSetAndDoesNotEndItsOpen() throws IOException {
		Thread.currentThread().interrupt();
		try (SeekableByteChannel channel = this.guard.open(new FifoGuard.ByPath(this.fifo),
				() -> Files.newByteChannel(this.fifo))) {
			assertThat(Thread.interrupted()).isTrue();
			assertThat(channel.isOpen()).isTrue();
		}
	}

	@Test
	void walkContinuesWithoutLostThread() throws Exception {
		Queue<String> worked = new ConcurrentLinkedQueue<>();
		AtomicReference<String> lost = new AtomicReference<>();
		WalkWorkers<Task, RuntimeException> workers = new WalkWorkers<>(this.guard.threads()::start, (task) -> {
			if (task.name().equals("stuck")) {
				open(task);
			}
			worked.add(task.name());
		}, (task) -> lost.set(task.name()), 16);
		SharedDirectory<?> parent = new SharedDirectory<>(DirectoryOpener.platform().open(this.directory.toRealPath()));
		parent.retain(2);
		workers.add(List.of(new Task(parent, "stuck"), new Task(parent, "a"), new Task(parent, "b")));
		workers.run(() -> {
		});
		assertThat(lost).hasValue("stuck");
		assertThat(worked).containsExactly("a", "b");
		assertThat(this.opened).isEmpty();
		openOtherEnd();
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.opened).hasSize(1).noneMatch(SeekableByteChannel::isOpen));
		assertThat(worked).containsExactly("a", "b");
	}

	private void open(Task task) {
		try {
			open(this.inWorkspace, this.fifo);
		}
		catch (IOException ex) {
			throw new IllegalStateException(task.name(), ex);
		}
	}

	/**
	 * Opens a file that is not found again by its name.
	 */
	private SeekableByteChannel open(FifoGuard guard, Path path) throws IOException {
		return guard.open(FifoGuard.NOT_UNBLOCKED, () -> {
			SeekableByteChannel channel = Files.newByteChannel(path);
			this.opened.add(channel);
			return channel;
		});
	}

	private record Task(SharedDirectory<?> parent, String name) implements WalkWorkers.Task {

	}

}

package io.kairo.sandbox.support;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.thread.Deadlines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link OutputRetention} and its use by {@link CommandHandle}.
 */
@Timeout(60)
class OutputRetentionTests {

	private static final int MORE_THAN_MEMORY = 300_000;

	private final Deadlines deadlines = new Deadlines();

	@TempDir
	private Path temp;

	@AfterEach
	void close() {
		this.deadlines.close();
	}

	private OutputLog log(int bytes) {
		OutputLog log = new OutputLog(1 << 20, 0, new PrivateDirectory(this.temp));
		log.append(OutputChannel.STDOUT, new byte[bytes], 0, bytes);
		return log;
	}

	private CommandHandle endedHandle(OutputLog log) throws Exception {
		ScriptedCommand command = new ScriptedCommand();
		CommandHandle handle = new CommandHandle("1", command, log, Duration.ofMinutes(5), this.deadlines, (ended) -> {
		});
		handle.watch();
		command.end(0);
		assertThat(handle.exit().block()).isNotNull();
		return handle;
	}

	@Test
	void filesAreReleasedAfterRetention() {
		OutputLog log = log(MORE_THAN_MEMORY);
		assertThat(log.holdsFiles()).isTrue();
		new OutputRetention("x", Duration.ofMillis(20), this.deadlines).releaseLater(log);
		await().until(() -> !log.holdsFiles());
	}

	@Test
	void slowReaderReceivesEverythingBeforeFilesAreReleased() throws Exception {
		OutputLog log = log(MORE_THAN_MEMORY);
		log.close();
		AtomicLong read = new AtomicLong();
		CompletableFuture<Void> slow = new CompletableFuture<>();
		CountDownLatch complete = new CountDownLatch(1);
		log.chunks().doOnComplete(complete::countDown).subscribe((chunk) -> {
			read.addAndGet(chunk.data().length);
			slow.join();
		});
		await().until(() -> read.get() > 0);
		new OutputRetention("x", Duration.ofMillis(20), this.deadlines).releaseLater(log);
		// long enough for several attempts to release the files
		this.deadlines.after(Duration.ofMillis(200), () -> {
		}).get();
		assertThat(log.holdsFiles()).isTrue();
		slow.complete(null);
		complete.await();
		assertThat(read).hasValue(MORE_THAN_MEMORY);
		await().until(() -> !log.holdsFiles());
		assertThat(log.discardedBytes()).isZero();
	}

	@Test
	void unreadOutputCountsAsDiscardedWhenReleased() {
		OutputLog log = log(MORE_THAN_MEMORY);
		log.close();
		assertThat(log.discardedBytes()).isZero();
		assertThat(log.forget()).isTrue();
		assertThat(log.chunks().collectList().block()).isEmpty();
		assertThat(log.discardedBytes()).isEqualTo(MORE_THAN_MEMORY);
	}

	@Test
	void partlyReadOutputCountsAsDiscardedWhenReleased() {
		OutputLog log = log(MORE_THAN_MEMORY);
		log.close();
		assertThat(log.chunks().take(1).collectList().block()).hasSize(1);
		await().until(log::forget);
		assertThat(log.discardedBytes()).isEqualTo(MORE_THAN_MEMORY);
	}

	@Test
	void releaseLaterSchedulesNothingForOutputInMemory() {
		assertThat(new OutputRetention("x", Duration.ZERO, this.deadlines).releaseLater(log(10))).isNull();
	}

	@Test
	void retentionIsTimeoutOfCommandButAtLeastOneMinute() {
		assertThat(OutputRetention.of("x", Duration.ofMinutes(5), this.deadlines).retention())
			.isEqualTo(Duration.ofMinutes(5));
		assertThat(OutputRetention.of("x", Duration.ofSeconds(1), this.deadlines).retention())
			.isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void endedHandleSchedulesReleaseUntilItIsClosed() throws Exception {
		CommandHandle handle = endedHandle(log(MORE_THAN_MEMORY));
		assertThat(this.deadlines.waiting()).isEqualTo(1);
		handle.close();
		assertThat(this.deadlines.waiting()).isZero();
	}

	@Test
	void endedHandleSchedulesNoReleaseWithoutFiles() throws Exception {
		endedHandle(log(10));
		assertThat(this.deadlines.waiting()).isZero();
	}

}

package io.kairo.governance.audit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.kairo.tools.Cancellation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link AuditLog}.
 */
class AuditLogTests {

	private final TestSink sink = new TestSink();

	private final List<AuditRecord> heard = new CopyOnWriteArrayList<>();

	private AuditLog log(AuditPolicy policy, Duration timeout) {
		return new AuditLog(List.of(this.sink), policy, timeout, this.heard::add);
	}

	@Test
	void recordIsWrittenWhenAppendReturns() {
		try (AuditLog log = log(AuditPolicy.BLOCK, Duration.ofSeconds(1))) {
			AuditRecord record = AuditRecords.record("Read");
			log.append(record);
			assertThat(this.sink.records).containsExactly(record);
			assertThat(this.heard).containsExactly(record);
		}
	}

	@Test
	void recordIsBoundedAsAWhole() {
		AuditRecord small = AuditRecords.record("Read");
		List<AuditRecord.TouchedPath> paths = IntStream.range(0, 100)
			.mapToObj((i) -> new AuditRecord.TouchedPath("\u4e2d".repeat(1300) + i, true, null, null, null))
			.toList();
		List<AuditRecord.Command> commands = IntStream.range(0, 100)
			.mapToObj((i) -> new AuditRecord.Command("x".repeat(4096), "sha256:" + i, 0, null, 0, null, null))
			.toList();
		AuditRecord large = new AuditRecord(small.id(), small.event(), null, small.time(), small.caller(), "Bash", "",
				"sha256:1", Map.of("list", Collections.nCopies(10_000, "x".repeat(1000))), null,
				new AuditRecord.Effects(paths, 7, commands, 8, 9, null), AuditRecord.SUCCESS, 12, null);
		try (AuditLog log = log(AuditPolicy.BLOCK, Duration.ofSeconds(10))) {
			log.append(large);
			log.submit(large);
			log.require(large, new Cancellation());
			await().until(() -> this.sink.records.size() == 3);
		}
		for (AuditRecord record : this.sink.records) {
			assertThat(AuditJson.write(record).length()).isBetween(10_000, AuditRecord.MAX_CHARACTERS);
			assertThat(record.digest()).isEqualTo("sha256:1");
			assertThat(record.arguments().values()).singleElement()
				.satisfies((characters) -> assertThat((int) characters).isGreaterThan(10_000_000));
			assertThat(record.effects().paths()).isNotEmpty()
				.isEqualTo(paths.subList(0, record.effects().paths().size()));
			assertThat(record.effects().paths().size() + record.effects().morePaths()).isEqualTo(107);
			assertThat(record.effects().commands().size() + record.effects().moreCommands()).isEqualTo(108);
		}
	}

	@Test
	void failingSinkFailsTheCallByPolicyFail() {
		this.sink.failing.set(true);
		try (AuditLog log = log(AuditPolicy.FAIL, Duration.ofSeconds(10))) {
			assertThatExceptionOfType(AuditException.class)
				.isThrownBy(() -> log.require(AuditRecords.record("Bash"), new Cancellation()))
				.withMessageContaining("disk is full");
			assertThat(this.heard).isEmpty();
			assertThat(log.states()).singleElement().satisfies((state) -> {
				assertThat(state.failed()).isEqualTo(1);
				assertThat(state.failingSince()).isNotNull();
				assertThat(state.failure()).contains("disk is full");
			});
			this.sink.failing.set(false);
			log.append(AuditRecords.record("Read"));
			assertThat(log.states().get(0).failingSince()).isNull();
			assertThat(log.states().get(0).written()).isEqualTo(1);
		}
	}

	@Test
	void stateIsAnsweredWhileAFailureIsLogged() throws Exception {
		CountDownLatch logging = new CountDownLatch(2);
		CountDownLatch release = new CountDownLatch(1);
		Handler slow = new Handler() {

			@Override
			public void publish(LogRecord record) {
				logging.countDown();
				try {
					release.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
		Logger logger = Logger.getLogger(SinkWriter.class.getName());
		logger.addHandler(slow);
		TestSink stuck = new TestSink();
		stuck.gate = new CountDownLatch(1);
		this.sink.failing.set(true);
		ExecutorService callers = Executors.newFixedThreadPool(2);
		try (AuditLog failing = log(AuditPolicy.FAIL, Duration.ofSeconds(10));
				AuditLog late = new AuditLog(List.of(stuck), AuditPolicy.FAIL, Duration.ofMillis(50),
						this.heard::add)) {
			failing.submit(AuditRecords.record("Read"));
			late.submit(AuditRecords.record("Read"));
			callers.submit(() -> await().until(() -> late.states().get(0).stuck()));
			assertThat(logging.await(10, TimeUnit.SECONDS)).isTrue();
			for (AuditLog log : List.of(failing, late)) {
				assertThat(callers.submit(log::states).get(10, TimeUnit.SECONDS)).singleElement()
					.satisfies((state) -> assertThat(state.failingSince()).isNotNull());
			}
			// so that the logs are closed at once
			release.countDown();
			stuck.gate.countDown();
		}
		finally {
			release.countDown();
			logger.removeHandler(slow);
			stuck.gate.countDown();
			callers.shutdownNow();
		}
	}

	@Test
	void slowSinkFailsTheCallAfterTheTimeoutByPolicyFail() {
		this.sink.gate = new CountDownLatch(1);
		try (AuditLog log = log(AuditPolicy.FAIL, Duration.ofMillis(50))) {
			assertThatExceptionOfType(AuditException.class)
				.isThrownBy(() -> log.require(AuditRecords.record("Bash"), new Cancellation()))
				.withMessageContaining("within PT0.05S");
			assertThatExceptionOfType(AuditException.class)
				.isThrownBy(() -> log.require(AuditRecords.record("withdrawn"), new Cancellation()));
			assertThatExceptionOfType(AuditException.class)
				.isThrownBy(() -> log.append(AuditRecords.record("done already")));
			this.sink.gate.countDown();
			await().until(() -> this.sink.tools().contains("done already"));
			assertThat(this.sink.tools()).doesNotContain("withdrawn");
		}
	}

	@Test
	void callWaitsForAFailingSinkByPolicyBlock() throws Exception {
		this.sink.failing.set(true);
		try (AuditLog log = log(AuditPolicy.BLOCK, Duration.ofMillis(1))) {
			AtomicBoolean returned = new AtomicBoolean();
			Thread caller = new Thread(() -> {
				log.append(AuditRecords.record("Read"));
				returned.set(true);
			});
			caller.start();
			await().until(() -> log.states().get(0).failingSince() != null);
			assertThat(returned).isFalse();
			this.sink.failing.set(false);
			caller.join(10_000);
			assertThat(returned).isTrue();
			assertThat(this.sink.tools()).containsExactly("Read");
		}
	}

	@Test
	void cancelledCallDoesNotWaitForItsStart() throws Exception {
		this.sink.failing.set(true);
		try (AuditLog log = log(AuditPolicy.BLOCK, Duration.ofMillis(1))) {
			Cancellation cancellation = new Cancellation();
			AtomicReference<Throwable> thrown = new AtomicReference<>();
			Thread caller = new Thread(() -> {
				try {
					log.require(AuditRecords.record("Bash"), cancellation);
				}
				catch (AuditException ex) {
					thrown.set(ex);
				}
			});
			caller.start();
			await().until(() -> log.states().get(0).failingSince() != null);
			cancellation.cancel();
			caller.join(10_000);
			assertThat(thrown.get()).hasMessageContaining("cancelled");
			this.sink.failing.set(false);
			log.append(AuditRecords.record("next"));
			assertThat(this.sink.tools()).containsExactly("next");
		}
	}

	@Test
	void interruptedCallKeepsItsRecordAndItsInterrupt() throws Exception {
		this.sink.gate = new CountDownLatch(1);
		try (AuditLog log = log(AuditPolicy.BLOCK, Duration.ofMillis(1))) {
			AtomicBoolean interrupted = new AtomicBoolean();
			Thread caller = new Thread(() -> {
				try {
					log.append(AuditRecords.record("Bash"));
				}
				catch (AuditException ex) {
					interrupted.set(Thread.currentThread().isInterrupted());
				}
			});
			caller.start();
			await().until(() -> caller.getState() == Thread.State.WAITING);
			caller.interrupt();
			caller.join(10_000);
			assertThat(interrupted).isTrue();
			this.sink.gate.countDown();
			await().until(() -> this.sink.tools().contains("Bash"));
		}
	}

	@Test
	void pendingRecordsAreWrittenOnClose() {
		AuditLog log = log(AuditPolicy.BLOCK, Duration.ofSeconds(1));
		for (int i = 0; i < 1000; i++) {
			log.submit(AuditRecords.record("Tool" + i));
		}
		log.close();
		assertThat(this.sink.records).hasSize(1000);
		assertThat(this.sink.closed).isTrue();
	}

	@Test
	void recordAfterCloseFails() {
		AuditLog log = log(AuditPolicy.BLOCK, Duration.ofSeconds(1));
		log.close();
		assertThatExceptionOfType(AuditException.class).isThrownBy(() -> log.append(AuditRecords.record("Read")))
			.withMessageContaining("closed");
	}

	@Test
	void failingSinkDoesNotKeepTheApplicationFromClosing() throws Exception {
		this.sink.failing.set(true);
		SinkWriter writer = new SinkWriter(this.sink, AuditPolicy.BLOCK, Duration.ofSeconds(1), Duration.ofMillis(20));
		PendingRecord pending = writer.add(AuditRecords.record("Read"));
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		Thread caller = new Thread(() -> {
			try {
				pending.await();
			}
			catch (AuditException ex) {
				thrown.set(ex);
			}
		});
		caller.start();
		await().until(() -> writer.state().failingSince() != null);
		writer.close();
		caller.join(10_000);
		assertThat(thrown.get()).hasMessageContaining("closed");
	}

	@Test
	void sinkThatDoesNotReturnDoesNotKeepTheApplicationFromClosing() throws Exception {
		CountDownLatch answer = new CountDownLatch(1);
		AtomicBoolean closed = new AtomicBoolean();
		AuditSink deaf = new AuditSink() {

			@Override
			public String name() {
				return "deaf";
			}

			@Override
			public synchronized void append(List<AuditRecord> records) {
				boolean answered = false;
				while (!answered) {
					try {
						answered = answer.await(10, TimeUnit.SECONDS);
					}
					catch (InterruptedException ex) {
						// as a socket, which is read on
					}
				}
			}

			@Override
			public synchronized void close() {
				closed.set(true);
			}

		};
		SinkWriter writer = new SinkWriter(deaf, AuditPolicy.BLOCK, Duration.ofSeconds(10), Duration.ofMillis(20));
		PendingRecord first = writer.add(AuditRecords.record("Read"));
		await().until(() -> writer.state().pending() == 1);
		PendingRecord second = writer.add(AuditRecords.record("Read"));
		assertTimeoutPreemptively(Duration.ofSeconds(5), writer::close);
		assertThat(first.isDone()).isTrue();
		assertThat(second.isDone()).isTrue();
		assertThat(closed).isFalse();
		answer.countDown();
		await().untilTrue(closed);
	}

	@Test
	void sinkThatLosesTheInterruptEndsWithTheApplication() throws Exception {
		AtomicBoolean closed = new AtomicBoolean();
		AuditSink forgetful = new AuditSink() {

			@Override
			public String name() {
				return "forgetful";
			}

			@Override
			public void append(List<AuditRecord> records) {
				try {
					new CountDownLatch(1).await(10, TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					throw new AuditException("It was interrupted", ex);
				}
			}

			@Override
			public void close() {
				closed.set(true);
			}

		};
		SinkWriter writer = new SinkWriter(forgetful, AuditPolicy.BLOCK, Duration.ofSeconds(10),
				Duration.ofMillis(500));
		PendingRecord record = writer.add(AuditRecords.record("Read"));
		await().until(() -> writer.state().pending() == 1);
		writer.close();
		assertThat(record.isDone()).isTrue();
		assertThat(closed).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void sinkThatDoesNotReturnInTimeIsReported(AuditPolicy policy) throws Exception {
		this.sink.gate = new CountDownLatch(1);
		try (AuditLog log = log(policy, Duration.ofMillis(20))) {
			Thread caller = new Thread(() -> {
				try {
					log.append(AuditRecords.record("Read"));
				}
				catch (AuditException ex) {
					// by policy FAIL
				}
			});
			caller.start();
			await().until(() -> log.states().get(0).stuck());
			assertThat(log.states()).singleElement().satisfies((state) -> {
				assertThat(state.failingSince()).isNotNull();
				assertThat(state.failure()).contains("within PT0.02S");
				assertThat(state.pending()).isEqualTo(1);
			});
			this.sink.gate.countDown();
			caller.join(10_000);
			await().until(() -> log.states().get(0).failingSince() == null);
			assertThat(log.states().get(0).stuck()).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource
	void recordsForWhichNoCallWaitsAreBounded(AuditPolicy policy) {
		this.sink.gate = new CountDownLatch(1);
		Cancellation cancelled = new Cancellation();
		cancelled.cancel();
		try (AuditLog log = log(policy, Duration.ofNanos(1))) {
			for (int i = 0; i < 1300; i++) {
				log.submit(AuditRecords.record("submitted"));
				assertThatExceptionOfType(AuditException.class)
					.isThrownBy(() -> log.require(AuditRecords.record("withdrawn"), cancelled));
			}
			assertThat(log.states().get(0).pending()).isLessThan(1100);
			assertThat(log.states().get(0).failed()).isGreaterThan(1300);
			this.sink.gate.countDown();
			await().until(() -> log.states().get(0).pending() == 0);
			log.submit(AuditRecords.record("last"));
			await().until(() -> this.sink.tools().contains("last"));
		}
	}

	@Test
	void sinkThatFailsWithAnErrorIsUsedAgain() {
		this.sink.error.set(true);
		try (AuditLog log = log(AuditPolicy.FAIL, Duration.ofSeconds(10))) {
			assertThatExceptionOfType(AuditException.class).isThrownBy(() -> log.append(AuditRecords.record("Read")))
				.withCauseInstanceOf(StackOverflowError.class);
			this.sink.error.set(false);
			log.append(AuditRecords.record("Read"));
			assertThat(this.sink.records).hasSize(1);
		}
	}

	@Test
	void listenerThatThrowsDoesNotFailTheCall() {
		try (AuditLog log = new AuditLog(List.of(this.sink), AuditPolicy.BLOCK, Duration.ofSeconds(1), (record) -> {
			throw new IllegalStateException("listener");
		})) {
			log.append(AuditRecords.record("Read"));
		}
		assertThat(this.sink.records).hasSize(1);
	}

	@Test
	void twoSinksOfOneNameAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new AuditLog(List.of(this.sink, this.sink),
				AuditPolicy.BLOCK, Duration.ofSeconds(1), (record) -> {
				}))
			.withMessageContaining("'test'");
	}

	private static final class TestSink implements AuditSink {

		private final List<AuditRecord> records = new CopyOnWriteArrayList<>();

		private final AtomicBoolean failing = new AtomicBoolean();

		private final AtomicBoolean error = new AtomicBoolean();

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile boolean closed;

		@Override
		public String name() {
			return "test";
		}

		List<String> tools() {
			return this.records.stream().map(AuditRecord::tool).toList();
		}

		@Override
		public void append(List<AuditRecord> added) {
			try {
				assertThat(this.gate.await(10, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			if (this.failing.get()) {
				throw new AuditException("The disk is full", null);
			}
			if (this.error.get()) {
				throw new StackOverflowError();
			}
			this.records.addAll(new ArrayList<>(added));
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

}

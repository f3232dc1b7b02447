package io.kairo.sandbox.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link CommandRunner} and the handles that it returns.
 */
@Timeout(60)
class CommandRunnerTests {

	private final ScriptedCommand command = new ScriptedCommand();

	private final AtomicReference<OutputLog> log = new AtomicReference<>();

	@TempDir
	private Path temp;

	private CommandRunner runner;

	@BeforeEach
	void createRunner() {
		this.runner = new CommandRunner(new PrivateDirectory(this.temp));
	}

	@AfterEach
	void closeRunner() {
		this.runner.close();
	}

	private SandboxHandle run(Duration timeout) {
		return this.runner.run(new SandboxRequest.Builder("x", this.temp).timeout(timeout).build(), (output) -> {
			this.log.set(output);
			return this.command;
		});
	}

	private SandboxHandle run() {
		return run(Duration.ofSeconds(50));
	}

	@Test
	void exitIsEmittedAfterOutputIsComplete() {
		SandboxHandle handle = run();
		this.log.get().append(OutputChannel.STDERR, new byte[] { 1 }, 0, 1);
		this.command.end(3);
		assertThat(handle.exit().block()).isEqualTo(new SandboxExit(3, null, false, false));
		assertThat(handle.exit().block()).isEqualTo(new SandboxExit(3, null, false, false));
		assertThat(this.log.get().closed()).isTrue();
		assertThat(handle.leftoverProcesses()).isEqualTo(2);
		assertThat(handle.workingDirectory()).isEqualTo(Path.of("/somewhere"));
		assertThat(this.command.settled).hasValue(1);
		assertThat(this.command.released).hasValue(1);
		assertThat(this.command.killed).hasValue(0);
	}

	@Test
	void signalIsDerivedFromExitCode() {
		SandboxHandle handle = run();
		this.command.end(139);
		assertThat(handle.exit().block()).isEqualTo(new SandboxExit(139, "SIGSEGV", false, false));
	}

	@Test
	void timeoutEndsCommandAndKeepsItsOutput() {
		SandboxHandle handle = run(Duration.ofMillis(50));
		this.log.get().append(OutputChannel.STDOUT, new byte[] { 1 }, 0, 1);
		assertThat(handle.exit().block()).isEqualTo(new SandboxExit(-1, SandboxExit.TIMEOUT, true, false));
		assertThat(handle.output().collectList().block()).hasSize(1);
		assertThat(this.command.killed).hasValue(1);
		assertThat(this.command.settled).hasValue(0);
	}

	@Test
	void cancellingTwiceEndsCommandOnce() {
		SandboxHandle handle = run();
		handle.cancel();
		handle.cancel();
		assertThat(handle.exit().block()).isEqualTo(new SandboxExit(-1, SandboxExit.CANCELLED, false, false));
		assertThat(this.command.killed).hasValue(1);
		assertThat(handle.workingDirectory()).isNull();
	}

	@Test
	void cancelAndCloseAfterExitDoNotChangeExit() {
		SandboxHandle handle = run();
		this.command.end(0);
		SandboxExit exit = handle.exit().block();
		handle.cancel();
		handle.close();
		handle.close();
		assertThat(handle.exit().block()).isSameAs(exit);
		assertThat(this.command.killed).hasValue(0);
	}

	@Test
	void closingHandleEndsCommandAndReleasesOutput() {
		SandboxHandle handle = run();
		this.log.get().append(OutputChannel.STDOUT, new byte[] { 1 }, 0, 1);
		handle.close();
		assertThat(handle.exit().block().signal()).isEqualTo(SandboxExit.CANCELLED);
		assertThat(handle.output().collectList().block()).isEmpty();
	}

	@Test
	void exitThatRacesWithCancelHasOneOutcome() throws Exception {
		for (int i = 0; i < 200; i++) {
			ScriptedCommand racing = new ScriptedCommand();
			SandboxHandle handle = this.runner.run(new SandboxRequest.Builder("x", this.temp).build(),
					(output) -> racing);
			CompletableFuture<SandboxExit> first = handle.exit().toFuture();
			CyclicBarrier start = new CyclicBarrier(2);
			CompletableFuture<Void> cancel = CompletableFuture.runAsync(() -> {
				awaitQuietly(start);
				handle.cancel();
			});
			awaitQuietly(start);
			racing.end(0);
			SandboxExit exit = handle.exit().block();
			cancel.join();
			assertThat(first.join()).isSameAs(exit);
			assertThat(racing.killed.get() + racing.settled.get()).isEqualTo(1);
			assertThat(exit.signal() == null).isEqualTo(racing.settled.get() == 1);
			assertThat(racing.released).hasValue(1);
			racing.end(0);
		}
	}

	private static void awaitQuietly(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void blockingSubscriberOfExitDoesNotDelayOthers() throws InterruptedException {
		CountDownLatch never = new CountDownLatch(1);
		SandboxHandle handle = run();
		for (int i = 0; i < 3; i++) {
			handle.exit().subscribe((exit) -> {
				try {
					never.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
		}
		CompletableFuture<SandboxExit> other = handle.exit().toFuture();
		for (int i = 0; i < 3; i++) {
			handle.exit().subscribe((exit) -> {
				throw new IllegalStateException("on purpose");
			}, (ex) -> {
			});
		}
		this.command.end(0);
		assertThat(other).succeedsWithin(Duration.ofSeconds(10));
		assertThat(handle.exit().block(Duration.ofSeconds(10))).isNotNull();
		this.runner.close();
		never.countDown();
	}

	@Test
	void cancelledSubscriptionToExitReceivesNothing() {
		SandboxHandle handle = run();
		List<SandboxExit> exits = new CopyOnWriteArrayList<>();
		Disposable subscription = handle.exit().subscribe(exits::add);
		subscription.dispose();
		this.command.end(0);
		handle.exit().block();
		assertThat(exits).isEmpty();
	}

	@Test
	void exitIsEmittedOnlyOnRequest() {
		SandboxHandle handle = run();
		List<SandboxExit> exits = new CopyOnWriteArrayList<>();
		BaseSubscriber<SandboxExit> subscriber = new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
			}

			@Override
			protected void hookOnNext(SandboxExit value) {
				exits.add(value);
			}

		};
		handle.exit().subscribe(subscriber);
		this.command.end(0);
		handle.exit().block();
		assertThat(exits).isEmpty();
		subscriber.request(1);
		await().until(() -> exits.size() == 1);
	}

	@Test
	void timedOutCommandHasExitEvenIfKillFails() {
		this.command.failure = new IllegalStateException("on purpose");
		SandboxHandle handle = run(Duration.ofMillis(20));
		assertThat(handle.exit().block().timedOut()).isTrue();
	}

	@Test
	void exitIsLostIfAwaitingCommandFails() {
		SandboxHandle handle = run();
		this.command.failure = new IllegalStateException("on purpose");
		this.command.end.countDown();
		assertThat(handle.exit().block()).isEqualTo(new SandboxExit(-1, SandboxExit.LOST, false, false));
		assertThat(this.command.killed).hasValue(1);
		assertThat(this.command.released).hasValue(1);
	}

	@Test
	void inputIsClosedUnlessRequested() throws Exception {
		SandboxHandle handle = run();
		handle.stdin().close();
		assertThatIOException().isThrownBy(() -> handle.stdin().write(1));
	}

	@Test
	void closingRunnerEndsAllCommandsAndRefusesNewOnes() throws Exception {
		SandboxHandle handle = run();
		Path directory = Files.createDirectory(this.temp.resolve("parent"));
		this.runner.close();
		this.runner.close();
		assertThat(handle.exit().block(Duration.ofSeconds(10)).signal()).isEqualTo(SandboxExit.CANCELLED);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(this::run)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.CLOSED));
		Files.delete(directory);
		assertThat(this.temp).isEmptyDirectory();
	}

	@Test
	void closingRunnerWaitsForSubscribersOfTheExit() {
		SandboxHandle handle = run();
		AtomicInteger told = new AtomicInteger();
		for (int i = 0; i < 3; i++) {
			handle.exit().subscribe((exit) -> {
				LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
				told.incrementAndGet();
			});
		}
		this.runner.close();
		assertThat(told).hasValue(3);
	}

	@Test
	void commandStartedWhileRunnerClosesIsEnded() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.runner.run(new SandboxRequest.Builder("x", this.temp).build(), (output) -> {
				this.runner.close();
				return this.command;
			}))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.CLOSED));
		await().until(() -> this.command.released.get() == 1);
		assertThat(this.command.killed).hasValue(1);
	}

	@Test
	void failureToStartIsPropagated() {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.runner.run(new SandboxRequest.Builder("x", this.temp).build(), (output) -> {
				throw new IllegalStateException("on purpose");
			}));
	}

	@Test
	void veryLongTimeoutIsAccepted() {
		SandboxHandle handle = run(Duration.ofSeconds(Long.MAX_VALUE));
		this.command.end(0);
		assertThat(handle.exit().block().exitCode()).isZero();
	}

}

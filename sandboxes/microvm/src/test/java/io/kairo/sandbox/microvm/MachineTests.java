package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests {@link Machine} and {@link GuestCommand} with machines that lie.
 */
@Timeout(30)
class MachineTests {

	private static final CommandLimits LIMITS = new CommandLimits(256L << 20, null, 100, null);

	private final FakeGuest guest = new FakeGuest();

	private final PrivateDirectory directory = new PrivateDirectory(null);

	private final OutputLog log = new OutputLog(1 << 20, 0, this.directory);

	private final AtomicInteger released = new AtomicInteger();

	private Machine machine;

	private GuestCommand command;

	@BeforeEach
	void begin() {
		this.machine = this.guest.machine();
	}

	@AfterEach
	void end() {
		this.machine.end("the test is over");
		this.log.release();
		this.directory.close();
	}

	private void start() throws Exception {
		this.guest.sayReady();
		assertThat(this.machine.awaitReady(Duration.ofSeconds(10))).isTrue();
		Path root = Path.of("/workspace");
		this.command = new GuestCommand(this.machine.nextId(), this.machine, null, this.log,
				new Roots(List.of(new Root(root, root, root, true))), true, LIMITS, Duration.ZERO,
				this.released::incrementAndGet);
		assertThat(this.machine.start(this.command, new byte[] { 1 })).isTrue();
		assertThat(this.guest.hear().kind()).isEqualTo('S');
		assertThat(this.guest.hear().kind()).isEqualTo('C');
	}

	private void startRunning() throws Exception {
		start();
		this.guest.say('R', this.command.id());
		assertThat(this.command.awaitStart()).isEmpty();
	}

	private void assertEnded(String reason) {
		await().untilAsserted(() -> assertThat(this.guest.isEnded()).isTrue());
		assertThat(this.machine.usable()).isFalse();
		assertThat(this.machine.lastWords()).contains(reason);
	}

	@Test
	void commandThatEndsHasItsExitCodeAndDirectory() throws Exception {
		startRunning();
		this.guest.say('O', this.command.id(), (byte) 'x');
		this.guest.sayEnd(this.command.id(), 7 << 8, 3, 1_500);
		assertThat(this.command.await().exitCode()).isEqualTo(7);
		assertThat(this.command.cpuTime()).isEqualTo(Duration.ofNanos(1_500_000));
		assertThat(this.command.settle()).isEqualTo(3);
		this.command.release();
		assertThat(this.released).hasValue(1);
		assertThat(this.machine.usable()).isTrue();
	}

	@Test
	void deathBySignalDiffersFromAnExitCode() throws Exception {
		startRunning();
		this.guest.sayEnd(this.command.id(), 9, 0);
		assertThat(this.command.await().signal()).isEqualTo("SIGKILL");
	}

	@Test
	void exitCodeThatLooksLikeASignalIsAnExitCode() throws Exception {
		startRunning();
		this.guest.sayEnd(this.command.id(), 137 << 8, 0);
		assertThat(this.command.await().exitCode()).isEqualTo(137);
		assertThat(this.command.await().signal()).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 65, 127, 128, 0x10000, -1, 0x709 })
	void impossibleStatusEndsTheMachine(int status) throws Exception {
		startRunning();
		this.guest.sayEnd(this.command.id(), status, 0);
		assertThatIllegalStateException().isThrownBy(() -> this.command.await());
		assertEnded("impossible status");
	}

	@ParameterizedTest
	@ValueSource(longs = { -1, Long.MAX_VALUE / 1000 + 1 })
	void impossibleCpuTimeEndsTheMachine(long micros) throws Exception {
		startRunning();
		this.guest.sayEnd(this.command.id(), 0, 0, micros);
		assertEnded("impossible CPU time");
	}

	@Test
	void impossibleNumberOfProcessesEndsTheMachine() throws Exception {
		startRunning();
		this.guest.sayEnd(this.command.id(), 0, -5);
		assertEnded("impossible number of processes");
	}

	@Test
	void commandIsLostWithItsMachine() throws Exception {
		startRunning();
		this.guest.destroy();
		assertThatIllegalStateException().isThrownBy(() -> this.command.await()).withMessageContaining("has ended");
		this.command.kill();
		this.command.release();
		await().untilAsserted(() -> assertThat(this.released).hasValue(1));
	}

	@Test
	void commandThatDoesNotRunIsRefusedWithTheReason() throws Exception {
		start();
		this.guest.say('N', this.command.id(), "no \u0007memory".getBytes(StandardCharsets.US_ASCII));
		assertThat(this.command.awaitStart()).isEqualTo("no memory");
		this.command.release();
		assertThat(this.released).hasValue(1);
	}

	@Test
	void outputIsAllowedAsItIsRead() throws Exception {
		startRunning();
		byte[] data = new byte[Frame.MOST_DATA];
		int allowed = GuestCommand.WINDOW;
		for (int i = 0; i < 100; i++) {
			while (allowed < data.length) {
				Frame more = this.guest.hear();
				assertThat(more.kind()).isEqualTo('C');
				allowed += more.number(GuestCommand.WINDOW);
			}
			this.guest.say('O', this.command.id(), data);
			allowed -= data.length;
		}
		this.guest.sayEnd(this.command.id(), 0, 0);
		assertThat(this.command.await().exitCode()).isZero();
		assertThat(this.log.discardedBytes()).isEqualTo(100L * data.length - (1 << 20));
	}

	@Test
	void machineThatDoesNotReadIsEnded() throws Exception {
		startRunning();
		for (int i = 0; i < 100 && this.machine.usable(); i++) {
			this.machine.send(new Frame('S', 1000 + i, new byte[1 << 20]));
		}
		assertEnded("does not read");
	}

	@Test
	void outputOfAnUnknownCommandEndsTheMachine() throws Exception {
		startRunning();
		this.guest.say('O', 77, (byte) 1);
		assertEnded("a command that does not exist");
	}

	@Test
	void outputAfterTheEndEndsTheMachine() throws Exception {
		startRunning();
		this.guest.sayEnd(this.command.id(), 0, 0);
		this.guest.say('O', this.command.id(), (byte) 1);
		assertEnded("a command that does not exist");
	}

	@Test
	void outputBeforeTheStartEndsTheMachine() throws Exception {
		start();
		this.guest.say('O', this.command.id(), (byte) 1);
		assertEnded("does not run");
		assertThat(this.command.awaitStart()).isNull();
	}

	@Test
	void secondStartEndsTheMachine() throws Exception {
		startRunning();
		this.guest.say('R', this.command.id());
		assertEnded("runs already");
	}

	@Test
	void moreInputTakenThanSentEndsTheMachine() throws Exception {
		startRunning();
		this.guest.sayNumber('G', this.command.id(), 1);
		assertEnded("above 0");
	}

	@Test
	void unknownMessageEndsTheMachine() throws Exception {
		startRunning();
		this.guest.say('Z', this.command.id());
		assertEnded("unknown kind");
	}

	@Test
	void messageBeforeTheMachineIsReadyEndsIt() throws Exception {
		this.guest.say('R', 1);
		assertThat(this.machine.awaitReady(Duration.ofSeconds(10))).isFalse();
		assertEnded("before it was ready");
	}

	@Test
	void agentOfAnotherVersionIsRefused() throws Exception {
		this.guest.sayNumber('H', 0, 99);
		assertThat(this.machine.awaitReady(Duration.ofSeconds(10))).isFalse();
		assertEnded("version 99");
	}

	@Test
	void machineThatIsNeverReadyIsGivenUp() throws Exception {
		assertThat(this.machine.awaitReady(Duration.ofMillis(50))).isFalse();
		assertThat(this.machine.lastWords()).contains("50 ms");
	}

	@Test
	void inputBlocksUntilItIsTaken() throws Exception {
		startRunning();
		OutputStream input = this.command.stdin();
		CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
			try {
				input.write(new byte[GuestCommand.INPUT_WINDOW + 1]);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		assertThat(this.guest.hear().payload()).hasSize(Frame.MOST_DATA);
		assertThat(this.guest.hear().payload()).hasSize(Frame.MOST_DATA);
		assertThat(writing).isNotDone();
		this.guest.sayNumber('G', this.command.id(), 1);
		assertThat(this.guest.hear().payload()).hasSize(1);
		assertThat(writing).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void inputOfALostCommandFails() throws Exception {
		startRunning();
		OutputStream input = this.command.stdin();
		CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
			try {
				input.write(new byte[10 * GuestCommand.INPUT_WINDOW]);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.guest.destroy();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> writing.get(10, TimeUnit.SECONDS));
	}

	@Test
	void commandThatIsNotEndedEndsItsMachine() throws Exception {
		startRunning();
		this.command.kill();
		this.command.release();
		assertThat(this.machine.usable()).isFalse();
		assertThat(this.released).hasValue(0);
		await().atMost(Duration.ofSeconds(15)).untilAsserted(() -> assertThat(this.guest.isEnded()).isTrue());
		await().untilAsserted(() -> assertThat(this.released).hasValue(1));
	}

	@Test
	void commandThatEndsLateLeavesOthersAlone() throws Exception {
		startRunning();
		this.command.kill();
		this.command.release();
		this.guest.sayEnd(this.command.id(), 9, 0);
		await().untilAsserted(() -> assertThat(this.released).hasValue(1));
		assertThat(this.guest.isEnded()).isFalse();
		assertThat(this.machine.usable()).isFalse();
	}

}

package io.kairo.sandbox.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RemoteSandbox} on a bad network.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class RemoteOutageTests {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	@TempDir
	Path workspace;

	private final AtomicReference<CuttingRelay> relay = new AtomicReference<>();

	private RemotePair pair;

	private double chance = 0.05;

	@BeforeEach
	void open() {
		open(Duration.ofSeconds(2));
	}

	private void open(Duration lease) {
		this.pair = new RemotePair((port) -> {
			this.relay.set(CuttingRelay.to(port, this.chance));
			return this.relay.get().port();
		}, (options) -> options.withLease(lease));
	}

	@AfterEach
	void close() throws IOException {
		this.pair.close();
		this.relay.get().close();
	}

	private SandboxHandle start(String command) {
		return this.pair.start(new SandboxRequest.Builder(command, this.workspace).timeout(Duration.ofSeconds(60))
			.maxOutputBytes(10 << 20)
			.build());
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block());
	}

	private static String output(SandboxHandle handle) {
		StringBuilder all = new StringBuilder();
		handle.output()
			.doOnNext((chunk) -> all.append(new String(chunk.data(), StandardCharsets.ISO_8859_1)))
			.blockLast();
		return all.toString();
	}

	@Test
	void everyCommandRunsOnceAndNoByteIsLostOrDoubled() throws IOException {
		close();
		this.chance = 0.15;
		open(Duration.ofSeconds(10));
		String expected = String.join("\n", IntStream.rangeClosed(1, 20_000).mapToObj(Integer::toString).toList())
				+ "\n";
		List<SandboxHandle> handles = IntStream.range(0, LONG ? 100 : 15)
			.mapToObj((i) -> start("echo run >> ran-" + i + "; seq 1 20000"))
			.toList();
		for (int i = 0; i < handles.size(); i++) {
			try (SandboxHandle handle = handles.get(i)) {
				assertThat(exit(handle).exitCode()).isZero();
				assertThat(output(handle)).isEqualTo(expected);
				assertThat(this.workspace.resolve("ran-" + i)).hasContent("run");
			}
		}
		assertThat(this.relay.get().cuts()).isGreaterThan(handles.size() / 3);
	}

	@Test
	void connectionsServeOneCommandAfterTheOther() throws IOException {
		close();
		this.chance = 0;
		open(Duration.ofSeconds(30));
		for (int i = 0; i < 20; i++) {
			try (SandboxHandle handle = start("echo " + i)) {
				assertThat(exit(handle).exitCode()).isZero();
			}
		}
		// a command is released by another thread, beside the next one
		assertThat(this.relay.get().connections()).isLessThan(15);
	}

	@Test
	void commandsEndAsLostWhenTheWorkerCannotBeReachedForALease() {
		try (SandboxHandle handle = start("sleep 55; touch late")) {
			this.relay.get().refuse(true);
			SandboxExit exit = exit(handle);
			assertThat(exit.signal()).isEqualTo(SandboxExit.LOST);
			assertThat(exit.exitCode()).isEqualTo(-1);
		}
		this.relay.get().refuse(false);
		try (SandboxHandle next = start("echo again")) {
			assertThat(exit(next).exitCode()).isZero();
			assertThat(output(next)).isEqualTo("again\n");
		}
	}

	@Test
	void workerEndsTheCommandsOfASilentClient() {
		try (SandboxHandle handle = start("echo $$ > pid; sleep 55")) {
			await().until(() -> Files.exists(this.workspace.resolve("pid"))
					&& !Files.readString(this.workspace.resolve("pid")).isBlank());
			this.relay.get().refuse(true);
			await().atMost(Duration.ofSeconds(20))
				.until(() -> ProcessHandle.of(Long.parseLong(Files.readString(this.workspace.resolve("pid")).strip()))
					.isEmpty());
			assertThat(exit(handle).signal()).isEqualTo(SandboxExit.LOST);
		}
	}

	@Test
	void outageThatIsShorterThanTheLeaseIsNotNoticed() throws Exception {
		close();
		open(Duration.ofSeconds(30));
		try (SandboxHandle handle = start("for i in 1 2 3 4 5 6; do echo $i; sleep 0.5; done")) {
			this.relay.get().refuse(true);
			Thread.sleep(1500);
			this.relay.get().refuse(false);
			assertThat(exit(handle).exitCode()).isZero();
			assertThat(output(handle)).isEqualTo("1\n2\n3\n4\n5\n6\n");
		}
	}

	@Test
	void commandThatIsCancelledDuringAnOutageEndsAfterIt() throws Exception {
		close();
		open(Duration.ofSeconds(60));
		try (SandboxHandle handle = start("echo $$ > pid; sleep 55")) {
			Path pid = this.workspace.resolve("pid");
			await().until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
			this.relay.get().refuse(true);
			handle.cancel();
			assertThat(exit(handle).signal()).isEqualTo(SandboxExit.CANCELLED);
			Thread.sleep(2000); // longer than the cancellation waits for an answer
			this.relay.get().refuse(false);
			await().atMost(Duration.ofSeconds(10))
				.until(() -> ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).isEmpty());
		}
	}

	@Test
	void workerThatDoesNotAnswerIsReported() {
		this.relay.get().refuse(true);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start("true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
			.withMessageContaining("127.0.0.1");
		assertThat(this.pair.capabilities().enforced()).isEmpty();
	}

}

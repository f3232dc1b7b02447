package io.kairo.tools.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolProgress;
import io.kairo.tools.ToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the output that {@link BashTool} returns and reports.
 */
@Timeout(60)
class BashOutputTests extends BashFixture {

	@Test
	void longOutputIsCutInTheMiddle() {
		ToolResult result = bash("seq 1 100000");
		assertThat(result.text()).startsWith("1\n2\n3\n").contains("characters left out").endsWith("99999\n100000");
		assertThat(result.text().length()).isBetween(29_900, 30_100);
		assertThat(result.complete().complete()).isFalse();
	}

	@Test
	void outputDiscardedBySandboxIsCounted() {
		BashTool tool = new BashTool(new BashOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), 1000, 500));
		ToolResult result = tool.call(Map.of("command", "seq 1 100000"), this.context);
		assertThat(result.text()).startsWith("1\n2\n")
			.contains("99999\n100000")
			.contains("bytes of output were not kept");
		assertThat(result.data()).containsEntry("truncated", true).containsEntry("discardedBytes", 588_895L - 1500);
	}

	@Test
	void cursorMovesDoNotDelayTimeout() {
		ToolResult result = bash(Map.of("command", "while :; do printf '\\033[65535Cx\\n'; done", "timeout", 1500));
		assertThat(result.data()).containsEntry("timedOut", true);
		assertThat((long) result.data().get("durationMs")).isLessThan(15_000);
		assertThat(result.text()).contains("x\n").contains("timed out after 1,500 ms");
	}

	@Test
	void outputAfterDeadlineIsCounted() throws IOException {
		byte[] bytes = "late\n".getBytes(StandardCharsets.US_ASCII);
		try (CommandOutput output = new CommandOutput((progress) -> {
		}, null, Duration.ofHours(1)); CommandOutput over = new CommandOutput((progress) -> {
		}, null, Duration.ofHours(-1))) {
			output.write(new SandboxOutputChunk.Stdout(bytes));
			over.write(new SandboxOutputChunk.Stdout(bytes));
			output.hurry();
			output.write(new SandboxOutputChunk.Stderr(bytes));
			over.hurry();
			over.write(new SandboxOutputChunk.Stderr(bytes));
			assertThat(output.end().late()).isZero();
			CommandOutput.Ended ended = over.end();
			assertThat(ended.late()).isEqualTo(2 * bytes.length);
			assertThat(ended.text().isEmpty()).isTrue();
			ToolResult result = new CommandReport(new PreparedCommand(
					new BashTool.Input("true", null, null, null, null), this.context, BashOptions.defaults(), null),
					this.context)
				.result(new SandboxExit(-1, SandboxExit.TIMEOUT, true, false), new EndedHandle(), ended,
						Duration.ofMillis(5), Duration.ofSeconds(6));
			assertThat(result.text()).contains("10 bytes of output came too late");
			assertThat(result.data()).containsEntry("discardedBytes", 10L).containsEntry("truncated", true);
			assertThat(result.complete().complete()).isFalse();
		}
	}

	@Test
	void progressBarIsRenderedInItsLastState() {
		assertThat(bash("printf '\\033[32m10%%\\r50%%\\r100%%\\033[0m\\n'").text()).isEqualTo("100%");
	}

	@Test
	void failingProgressListenerDoesNotLoseOutput() {
		ToolContext context = otherSession().progress((progress) -> {
			throw new IllegalStateException("gone");
		}).build();
		assertThat(new BashTool().call(Map.of("command", "echo a; sleep 1.2; echo b"), context).text())
			.isEqualTo("a\nb");
	}

	@Test
	void slowProgressListenerNeitherLosesNorDelaysOutput() {
		CountDownLatch interrupted = new CountDownLatch(1);
		ToolContext context = otherSession().progress((progress) -> {
			try {
				new CountDownLatch(1).await(30, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		}).build();
		long started = System.nanoTime();
		ToolResult result = new BashTool().call(Map.of("command", "sleep 1.2; echo a; sleep 0.2; seq 1 100000"),
				context);
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(20));
		assertThat(result.text()).startsWith("a\n1\n2\n").endsWith("99999\n100000");
		Awaitility.await().until(() -> interrupted.getCount() == 0);
	}

	@Test
	void progressIsReportedWhileCommandRuns() {
		List<ToolProgress> progress = new ArrayList<>();
		ToolContext context = otherSession().progress(progress::add).build();
		new BashTool().call(Map.of("command", "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.3; done"), context);
		assertThat(progress).isNotEmpty();
		assertThat(progress).isSortedAccordingTo(java.util.Comparator.comparingLong(ToolProgress::amount));
	}

	@Test
	void silentCommandReportsTimeAndNewOutput() {
		List<ToolProgress> progress = new CopyOnWriteArrayList<>();
		ToolContext context = otherSession().progress((reported) -> {
			progress.add(reported);
			if (progress.size() >= 3) {
				makeFile("enough");
			}
		}).build();
		BashTool tool = new BashTool(BashOptions.defaults(), ToolNaming.CLAUDE, Map.of(), WorkspaceKind.LOCAL,
				Duration.ofMillis(20), null);
		tool.call(Map.of("command", "echo a; printf 'b%%'; while [ ! -e enough ]; do sleep 0.1; done"), context);
		assertThat(progress)
			.allSatisfy((reported) -> assertThat(reported.message()).matches("[0-9]+ s, [0-9]+ bytes of output"));
		assertThat(progress.stream().map(ToolProgress::text).filter(Objects::nonNull).collect(Collectors.joining()))
			.isIn("a\nb%", "a\nbb%");
	}

	private void makeFile(String name) {
		try {
			Files.writeString(this.directory.resolve(name), "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A handle of a command that has ended without further output.
	 */
	private static final class EndedHandle implements SandboxHandle {

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.empty();
		}

		@Override
		public Mono<SandboxExit> exit() {
			return Mono.empty();
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

	}

}

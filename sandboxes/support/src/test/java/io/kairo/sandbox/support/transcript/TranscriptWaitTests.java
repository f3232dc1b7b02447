package io.kairo.sandbox.support.transcript;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.sandbox.support.output.OutputChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the methods of {@link CommandTranscript} that wait.
 */
@Timeout(120)
class TranscriptWaitTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration SHORT = Duration.ofMillis(30);

	private LoggedHandle handle;

	private CommandTranscript transcript;

	@BeforeEach
	void open(@TempDir Path temp) {
		this.handle = new LoggedHandle(temp, 1_000_000, 0);
		this.transcript = this.handle.transcript();
	}

	@AfterEach
	void close() {
		this.transcript.close();
		this.handle.close();
	}

	private <T> CompletableFuture<T> waiting(Wait<T> wait) {
		CompletableFuture<T> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				result.complete(wait.run());
			}
			catch (Exception ex) {
				result.completeExceptionally(ex);
			}
		});
		thread.start();
		await().until(() -> result.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
		return result;
	}

	private Optional<TranscriptLine> line(long cursor, String pattern, Duration timeout) throws InterruptedException {
		return this.transcript.awaitLine(cursor, Pattern.compile(pattern).asPredicate(), timeout);
	}

	@Test
	void awaitOutputReturnsWhenOutputArrives() throws Exception {
		assertThat(this.transcript.awaitOutput(0, SHORT)).isFalse();
		CompletableFuture<Boolean> waiting = waiting(() -> this.transcript.awaitOutput(0, LONG));
		this.handle.print("x");
		assertThat(waiting.join()).isTrue();
		assertThat(this.transcript.awaitOutput(1, SHORT)).isFalse();
	}

	@Test
	void endOfCommandEndsAllWaits() throws Exception {
		CompletableFuture<Boolean> output = waiting(() -> this.transcript.awaitOutput(0, LONG));
		CompletableFuture<Optional<TranscriptLine>> line = waiting(() -> line(0, "never", LONG));
		CompletableFuture<Optional<SandboxExit>> exit = waiting(
				() -> this.transcript.awaitExit(Duration.ofSeconds(Long.MAX_VALUE)));
		this.handle.end();
		assertThat(output.join()).isTrue();
		assertThat(line.join()).isEmpty();
		assertThat(exit.join()).contains(new SandboxExit(0, null, false, false));
		assertThat(this.transcript.awaitExit(Duration.ZERO)).isPresent();
	}

	@Test
	void waitsEndAtTimeout() throws Exception {
		long started = System.nanoTime();
		assertThat(this.transcript.awaitExit(SHORT)).isEmpty();
		assertThat(line(0, "never", SHORT)).isEmpty();
		this.handle.print("text");
		assertThat(line(0, "never", SHORT)).isEmpty();
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isBetween(SHORT.multipliedBy(3), LONG);
	}

	@Test
	void awaitLineFindsLineSplitAcrossChunks() throws Exception {
		CompletableFuture<Optional<TranscriptLine>> waiting = waiting(() -> line(0, "^ready on \\d+$", LONG));
		for (String piece : new String[] { "not re", "ady\nrea", "dy on", " 80", "80\r\nand more" }) {
			this.handle.print(piece);
		}
		assertThat(waiting.join().orElseThrow().text()).startsWith("ready on 80");
		assertThat(line(0, "^ready on 8080$", LONG))
			.contains(new TranscriptLine(OutputChannel.STDOUT, "ready on 8080", 25));
		assertThat(this.transcript.read(25, 100).text()).isEqualTo("and more");
	}

	@Test
	void awaitLineFindsPromptWithoutLineBreak() throws Exception {
		CompletableFuture<Optional<TranscriptLine>> waiting = waiting(() -> line(0, "> $", LONG));
		this.handle.print(OutputChannel.STDERR, "hello\n".getBytes());
		this.handle.print("name> ");
		assertThat(waiting.join()).contains(new TranscriptLine(OutputChannel.STDOUT, "name> ", 12));
	}

	@Test
	void awaitLineDoesNotMixOutputChannels() throws Exception {
		this.handle.print("one ");
		this.handle.print(OutputChannel.STDERR, "error\n".getBytes());
		this.handle.print("line\n");
		this.handle.end();
		assertThat(line(0, "^one line$", LONG)).contains(new TranscriptLine(OutputChannel.STDOUT, "one line", 15));
		assertThat(line(0, "^error$", LONG)).contains(new TranscriptLine(OutputChannel.STDERR, "error", 10));
	}

	@Test
	void awaitLineStartsAtCursor() throws Exception {
		this.handle.print("yes 1\nyes 2\n");
		TranscriptLine first = line(0, "^yes .", LONG).orElseThrow();
		assertThat(line(first.nextCursor(), "^yes .", LONG).map(TranscriptLine::text)).contains("yes 2");
	}

	@Test
	void awaitLineExaminesOnlyBeginningOfLongLine() throws Exception {
		AtomicInteger longest = new AtomicInteger();
		this.handle.print("x".repeat(300_000) + "\nfound\n");
		Optional<TranscriptLine> line = this.transcript.awaitLine(0, (text) -> {
			longest.accumulateAndGet(text.length(), Math::max);
			return text.equals("found");
		}, LONG);
		assertThat(line.orElseThrow().nextCursor()).isEqualTo(300_007);
		assertThat(longest).hasValue(CommandTranscript.LONGEST_LINE);
	}

	@Test
	void waitCanBeInterrupted() throws Exception {
		CompletableFuture<Throwable> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				this.transcript.awaitOutput(0, LONG);
			}
			catch (InterruptedException ex) {
				result.complete(ex);
			}
		});
		thread.start();
		thread.interrupt();
		assertThat(result.join()).isInstanceOf(InterruptedException.class);
	}

	@Test
	void readerDoesNotBlockWhileAnotherReaderWaits() throws Exception {
		this.handle.print("text");
		CompletableFuture<Optional<TranscriptLine>> waiting = waiting(() -> line(0, "never", LONG));
		assertThat(this.transcript.awaitOutput(0, LONG)).isTrue();
		assertThat(this.transcript.read(0, 10).text()).isEqualTo("text");
		assertThat(waiting).isNotDone();
		assertThatExceptionOfType(java.util.concurrent.TimeoutException.class)
			.isThrownBy(() -> waiting.get(1, java.util.concurrent.TimeUnit.MILLISECONDS));
	}

	private interface Wait<T> {

		T run() throws Exception;

	}

}

package io.kairo.mcp;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link McpEventStream}.
 */
@Timeout(60)
class McpEventStreamTests {

	private static final String EVENT = "event:message\ndata:{\"jsonrpc\":\"2.0\",\"method\":\"event\"}\n\n";

	private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);

	private final StringBuffer written = new StringBuffer();

	/** Open when the client reads. */
	private CountDownLatch client = new CountDownLatch(0);

	private final CountDownLatch writing = new CountDownLatch(1);

	private final CountDownLatch ended = new CountDownLatch(1);

	private final CountDownLatch gone = new CountDownLatch(1);

	private volatile boolean broken;

	private volatile boolean wanted = true;

	private final McpOutput output = new McpOutput() {

		@Override
		public void write(String text) throws IOException {
			if (McpEventStreamTests.this.broken) {
				throw new IOException("broken");
			}
			McpEventStreamTests.this.writing.countDown();
			try {
				McpEventStreamTests.this.client.await();
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
			McpEventStreamTests.this.written.append(text);
		}

		@Override
		public void end() {
			McpEventStreamTests.this.ended.countDown();
		}

		@Override
		public void onEnd(Runnable action) {
		}

	};

	private McpEventStream stream = stream(false);

	private McpEventStream stream(boolean answer) {
		return new McpEventStream(this.output, McpJsonDefaults.getMapper(), () -> this.wanted, this.gone::countDown,
				answer, this.executor);
	}

	@AfterEach
	void stop() {
		this.client.countDown();
		this.executor.shutdownNow();
	}

	private void send() {
		this.stream.sendMessage(new JSONRPCNotification("event")).block();
	}

	@Test
	void messagesAndCommentsAreWritten() {
		this.stream.beat();
		send();
		this.stream.sendMessage(new JSONRPCNotification("event"), "7").block();
		assertThat(this.written).hasToString(":\n" + EVENT + "id:7\n" + EVENT);
		assertThat(this.gone.getCount()).isEqualTo(1);
	}

	@Test
	void messageThatCannotBeSentEndsStream() throws Exception {
		this.broken = true;
		assertThatThrownBy(this::send).hasRootCauseMessage("broken");
		this.broken = false;
		this.ended.await();
		this.gone.await();
		assertThatThrownBy(this::send).hasRootCauseMessage("The event stream has ended");
		this.stream.beat();
		assertThat(this.written).isEmpty();
	}

	@Test
	void commentThatCannotBeSentEndsStream() throws Exception {
		this.broken = true;
		this.stream.beat();
		this.ended.await();
		this.gone.await();
	}

	@Test
	void streamEndsAfterMessageThatIsBeingSentAndNobodyWaits() throws Exception {
		this.client = new CountDownLatch(1);
		Future<?> event = this.executor.submit(this::send);
		this.writing.await();
		this.stream.beat();
		this.stream.end();
		this.gone.await();
		assertThat(this.ended.getCount()).isEqualTo(1);
		this.client.countDown();
		event.get();
		this.ended.await();
		assertThat(this.written).hasToString(EVENT);
	}

	@Test
	void endOfRequestIsNotedWhileMessageIsBeingSent() throws Exception {
		this.client = new CountDownLatch(1);
		Future<?> event = this.executor.submit(this::send);
		this.writing.await();
		this.stream.ended();
		this.gone.await();
		this.client.countDown();
		event.get();
	}

	@Test
	void streamThatIsNotWantedAnyMoreEnds() throws Exception {
		this.wanted = false;
		this.stream.beat();
		this.ended.await();
		this.gone.await();
	}

	@Test
	void answerThatIsNotWantedAnyMoreCancelsItsCallAndIsStillWritten() throws Exception {
		this.stream = stream(true);
		this.wanted = false;
		this.stream.beat();
		this.gone.await();
		send();
		assertThat(this.written).hasToString(":\n" + EVENT);
		assertThat(this.ended.getCount()).isEqualTo(1);
	}

	@Test
	void answerEndsAfterCommentThatIsBeingWritten() throws Exception {
		this.stream = stream(true);
		this.client = new CountDownLatch(1);
		Future<?> comment = this.executor.submit(() -> this.stream.beat());
		this.writing.await();
		Future<?> end = this.executor.submit(() -> this.stream.endAndWait());
		assertThat(end).isNotDone();
		this.client.countDown();
		comment.get();
		end.get();
		this.ended.await();
		this.stream.beat();
		assertThat(this.written).hasToString(":\n");
	}

	@Test
	void commentsAreWrittenAtIntervalsUntilTheEnd() {
		this.stream.beat(this.executor, Duration.ofMillis(1), Duration.ofMillis(1));
		await().until(() -> this.written.length() > 10);
		this.stream.end();
		int length = this.written.length();
		await().during(Duration.ofMillis(50)).until(() -> this.written.length() <= length + 2);
	}

}

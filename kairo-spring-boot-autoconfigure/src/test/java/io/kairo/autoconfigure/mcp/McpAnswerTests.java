package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.kairo.tools.Cancellation;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.ServerResponse.SseBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the comments in the answer to a request, and for its end.
 */
@Timeout(60)
class McpAnswerTests {

	private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);

	private final StringBuffer written = new StringBuffer();

	private final Map<String, Object> attributes = new ConcurrentHashMap<>();

	/** Open when the client reads. */
	private CountDownLatch client = new CountDownLatch(0);

	private final CountDownLatch writing = new CountDownLatch(1);

	private volatile boolean gone;

	private volatile boolean wanted = true;

	private final McpAnswer answer = new McpAnswer(
			proxy(HttpServletResponse.class, (self, method, arguments) -> switch (method.getName()) {
				case "getOutputStream" -> new ClientOutput();
				case "containsHeader" -> false;
				default -> null;
			}), () -> this.wanted, this.executor);

	@AfterEach
	void stop() {
		this.client.countDown();
		this.executor.shutdownNow();
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler));
	}

	private void write(Duration interval, Consumer<SseBuilder> events) throws Exception {
		HttpServletRequest request = proxy(HttpServletRequest.class,
				(self, method, arguments) -> switch (method.getName()) {
					case "getMethod" -> "POST";
					case "getAttribute" -> this.attributes.get(arguments[0]);
					case "setAttribute" -> this.attributes.put((String) arguments[0], arguments[1]);
					case "removeAttribute" -> this.attributes.remove(arguments[0]);
					case "startAsync", "isAsyncStarted" ->
						throw new AssertionError("The web server is not asynchronous");
					default -> null;
				});
		ServerResponse.Context context = proxy(ServerResponse.Context.class, (self, method, arguments) -> List.of());
		this.answer.write(ServerResponse.sse(events, Duration.ZERO), interval, request, context);
	}

	private Cancellation cancellation() {
		return (Cancellation) this.attributes.get(McpRequestFilter.CANCELLATION);
	}

	private static void send(SseBuilder events) {
		try {
			events.data("event");
			events.complete();
		}
		catch (IOException ex) {
			events.error(ex);
		}
	}

	@Test
	void commentsAreWrittenUntilAnswerIsComplete() throws Exception {
		write(Duration.ofMillis(1), (events) -> {
			awaitOpen(this.writing);
			send(events);
		});
		assertThat(this.written.toString()).matches("(:\n)+data:event\n\n(:\n)*");
		int length = this.written.length();
		this.answer.beat();
		assertThat(this.written).hasSize(length);
	}

	@Test
	void commentThatCannotBeSentCancelsRequest() throws Exception {
		write(Duration.ofHours(1), (events) -> {
			this.answer.beat();
			assertThat(cancellation().isCancelled()).isFalse();
			this.gone = true;
			this.answer.beat();
			assertThat(cancellation().isCancelled()).isTrue();
			send(events);
		});
		assertThat(this.written).hasToString(":\n");
	}

	@Test
	void eventThatCannotBeSentCancelsRequest() throws Exception {
		write(Duration.ofHours(1), (events) -> {
			this.gone = true;
			send(events);
			this.gone = false;
			this.answer.beat();
			assertThat(cancellation().isCancelled()).isTrue();
		});
		assertThat(this.written).isEmpty();
	}

	@Test
	void requestThatIsNotWantedAnyMoreIsCancelledAndAnswered() throws Exception {
		write(Duration.ofHours(1), (events) -> {
			this.wanted = false;
			this.answer.beat();
			assertThat(cancellation().isCancelled()).isTrue();
			send(events);
		});
		assertThat(this.written).hasToString(":\ndata:event\n\n");
	}

	@Test
	void answerEndsAfterCommentThatIsBeingWritten() throws Exception {
		this.client = new CountDownLatch(1);
		CountDownLatch handled = new CountDownLatch(1);
		Future<?> request = this.executor.submit(() -> {
			write(Duration.ofHours(1), (events) -> {
				this.executor.execute(this.answer::beat);
				awaitOpen(this.writing);
				handled.countDown();
			});
			return null;
		});
		handled.await();
		assertThat(request.isDone()).isFalse();
		this.client.countDown();
		request.get();
		assertThat(this.written).hasToString(":\n");
	}

	@Test
	void failureOfSdkIsThrown() {
		assertThatExceptionOfType(ServletException.class)
			.isThrownBy(() -> write(Duration.ofHours(1), (events) -> events.error(new IllegalStateException("test"))))
			.withRootCauseInstanceOf(IllegalStateException.class);
	}

	private static void awaitOpen(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The output of the web server to a client.
	 */
	private final class ClientOutput extends ServletOutputStream {

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setWriteListener(WriteListener listener) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void write(int value) throws IOException {
			McpAnswerTests.this.writing.countDown();
			awaitOpen(McpAnswerTests.this.client);
			if (McpAnswerTests.this.gone) {
				throw new IOException("gone");
			}
			McpAnswerTests.this.written.append((char) value);
		}

	}

}

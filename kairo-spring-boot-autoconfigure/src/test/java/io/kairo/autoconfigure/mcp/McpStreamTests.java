package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for the end of an event stream while the web server or the SDK is busy with it.
 */
@Timeout(60)
class McpStreamTests {

	private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);

	private final StringBuffer written = new StringBuffer();

	private final DeferredResult<Object> result = new DeferredResult<>();

	/** Open when the web server can end the request. */
	private final CountDownLatch server = new CountDownLatch(1);

	/** Open when the client reads. */
	private CountDownLatch client = new CountDownLatch(0);

	private final CountDownLatch writing = new CountDownLatch(1);

	private final CountDownLatch completed = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private boolean gone;

	private boolean wanted = true;

	private final HttpServletResponse response = proxy(HttpServletResponse.class,
			Map.of("getOutputStream", ClientOutput::new));

	private McpStream stream = new McpStream(this.response, () -> this.wanted, this.executor,
			(ended) -> this.released.countDown());

	@AfterEach
	void stop() {
		this.server.countDown();
		this.client.countDown();
		this.executor.shutdownNow();
	}

	/**
	 * Returns an object whose other methods do nothing.
	 */
	private static <T> T proxy(Class<T> type, Map<String, Callable<?>> methods) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(self, method, arguments) -> methods.getOrDefault(method.getName(), () -> null).call()));
	}

	private void open() throws Exception {
		AsyncContext async = proxy(AsyncContext.class, Map.of("complete", () -> {
			this.server.await();
			this.completed.countDown();
			return null;
		}));
		HttpServletRequest request = proxy(HttpServletRequest.class,
				Map.of("isAsyncStarted", () -> true, "getAsyncContext", () -> async));
		ServerResponse events = proxy(ServerResponse.class, Map.of("writeTo", () -> {
			this.stream.preProcess(null, this.result);
			return null;
		}));
		this.stream.open(events, Duration.ofHours(1), request, null);
	}

	private void send(String event) throws IOException {
		this.stream.getOutputStream().write(event.getBytes(StandardCharsets.UTF_8));
		this.stream.flushBuffer();
	}

	@Test
	void sdkEndsStreamWithoutWaitingForServer() throws Exception {
		open();
		assertThat(this.result.setResult(null)).isTrue();
		assertThat(this.released.getCount()).isEqualTo(1);
		this.server.countDown();
		this.released.await();
		assertThat(this.completed.getCount()).isZero();
	}

	@Test
	void eventThatCannotBeSentEndsStreamWithoutWaitingForServer() throws Exception {
		open();
		this.gone = true;
		assertThatIOException().isThrownBy(() -> send("event")).withMessage("gone");
		this.gone = false;
		assertThatIOException().isThrownBy(() -> send("event")).withMessage("The event stream has ended");
		this.stream.beat();
		assertThat(this.written).hasToString(":\n");
		this.server.countDown();
		this.released.await();
	}

	@Test
	void commentThatCannotBeSentEndsStream() throws Exception {
		this.server.countDown();
		open();
		this.gone = true;
		this.stream.beat();
		this.released.await();
	}

	@Test
	void streamEndsAfterEventThatIsBeingSent() throws Exception {
		this.server.countDown();
		open();
		this.client = new CountDownLatch(1);
		Future<?> event = this.executor.submit(() -> {
			send("event");
			return null;
		});
		this.writing.await();
		this.stream.beat();
		this.stream.end();
		assertThat(this.completed.getCount()).isEqualTo(1);
		this.client.countDown();
		event.get();
		this.released.await();
		assertThat(this.written).hasToString(":\nevent");
	}

	@Test
	void streamThatIsNotWantedAnyMoreEnds() throws Exception {
		this.server.countDown();
		this.wanted = false;
		open();
		this.released.await();
		assertThat(this.written).isEmpty();
	}

	@Test
	void streamThatWasEndedBeforeItIsOpenEnds() throws Exception {
		this.server.countDown();
		this.stream.end();
		open();
		this.released.await();
		assertThat(this.completed.getCount()).isZero();
	}

	@Test
	void streamThatIsReplacedDuringAnEventGivesItsSlotAway() throws Exception {
		this.server.countDown();
		try (McpStreams streams = new McpStreams(new McpProperties.Limits(1, 1, 1, 1, 1, 1), (session) -> true)) {
			this.stream = streams.add("tenant", "session", this.response);
			open();
			this.client = new CountDownLatch(1);
			Future<?> event = this.executor.submit(() -> {
				send("event");
				return null;
			});
			this.writing.await();
			assertThat(streams.add("tenant", "session", this.response)).isNotNull();
			assertThat(streams.add("tenant", "other", this.response)).isNull();
			this.client.countDown();
			event.get();
			this.completed.await();
			assertThat(streams.add("tenant", "other", this.response)).isNull();
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
			if (McpStreamTests.this.gone) {
				throw new IOException("gone");
			}
			if (value == 'e') {
				McpStreamTests.this.writing.countDown();
			}
			try {
				McpStreamTests.this.client.await();
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
			McpStreamTests.this.written.append((char) value);
		}

	}

}

package io.kairo.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the responses of {@link McpWebFluxExchange} to clients that read slowly, or
 * not at all.
 */
@Timeout(60)
class McpWebFluxExchangeTests {

	private static final Duration WRITE_TIME = Duration.ofMillis(700);

	private static final int BUFFERS = 30;

	private static final String TEXT = "ä".repeat(BUFFERS * 32 * 1024);

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final MockServerWebExchange request = MockServerWebExchange.from(MockServerHttpRequest.post("/mcp"));

	private final McpWebFluxExchange exchange = new McpWebFluxExchange(this.request, null, this.executor, WRITE_TIME);

	/** Has an element for each buffer that the client reads. */
	private final Sinks.Many<Boolean> reads = Sinks.many().unicast().onBackpressureBuffer();

	/** The texts that the client has read. */
	private final List<String> received = new CopyOnWriteArrayList<>();

	private CompletableFuture<Void> written;

	@BeforeEach
	void begin() {
		this.request.getResponse().setWriteHandler(this::write);
		this.written = this.exchange.written().toFuture();
	}

	@AfterEach
	void stop() {
		this.executor.shutdownNow();
	}

	private Mono<Void> write(Flux<DataBuffer> buffers) {
		return Flux.zip(List.of(buffers, this.reads.asFlux()), 1, (pair) -> (DataBuffer) pair[0])
			.doOnNext((buffer) -> this.received.add(buffer.toString(StandardCharsets.ISO_8859_1)))
			.then();
	}

	private void readBuffer() {
		this.reads.tryEmitNext(true).orThrow();
	}

	private void answer(boolean stream) {
		this.executor.execute(() -> {
			try {
				if (stream) {
					McpOutput output = this.exchange.stream();
					output.write(TEXT);
					output.end();
				}
				else {
					this.exchange.respond(200, null, TEXT.getBytes(StandardCharsets.UTF_8));
				}
			}
			catch (IOException ex) {
				this.exchange.fail(ex);
			}
			finally {
				this.exchange.handled();
			}
		});
	}

	private void requireGivenUp() {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.written.get(30, TimeUnit.SECONDS))
			.withMessageContaining("does not read the answer");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void clientThatReadsSlowlyReceivesTheWholeAnswer(boolean stream) throws Exception {
		answer(stream);
		long started = System.nanoTime();
		await().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(50)).until(() -> {
			readBuffer();
			return this.written.isDone();
		});
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(WRITE_TIME.multipliedBy(2));
		this.written.get();
		assertThat(this.received).allMatch((text) -> text.length() <= 64 * 1024);
		byte[] all = String.join("", this.received).getBytes(StandardCharsets.ISO_8859_1);
		assertThat(new String(all, StandardCharsets.UTF_8)).isEqualTo(TEXT);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void clientThatStopsToReadIsGivenUp(boolean stream) {
		answer(stream);
		for (int i = 0; i < BUFFERS / 2; i++) {
			readBuffer();
		}
		requireGivenUp();
		assertThat(this.received).hasSize(BUFFERS / 2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void clientThatReadsNothingIsGivenUp(boolean stream) {
		answer(stream);
		requireGivenUp();
	}

	@Test
	void eventsWaitForClientThatReadsSlowlyAndNotForOneThatStops() throws Exception {
		McpOutput output = this.exchange.stream();
		CompletableFuture<Integer> events = new CompletableFuture<>();
		this.executor.execute(() -> {
			int sent = 0;
			try {
				for (; sent < 100; sent++) {
					output.write(TEXT);
				}
			}
			catch (IOException ex) {
				events.complete(sent);
			}
		});
		await().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(50)).until(() -> {
			readBuffer();
			return this.received.size() > BUFFERS;
		});
		assertThat(events).isNotDone();
		assertThat(events.get(30, TimeUnit.SECONDS)).isGreaterThan(16);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
			await().until(() -> {
				output.comment();
				return false;
			});
		}).withMessageContaining("does not read");
	}

}

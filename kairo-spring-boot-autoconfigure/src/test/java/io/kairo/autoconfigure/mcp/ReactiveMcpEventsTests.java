package io.kairo.autoconfigure.mcp;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ReactiveMcpEvents}.
 */
@Timeout(30)
class ReactiveMcpEventsTests {

	private static final Duration INTERVAL = Duration.ofMillis(5);

	private final MockServerHttpResponse response = new MockServerHttpResponse();

	private final AtomicInteger gone = new AtomicInteger();

	private final AtomicBoolean wanted = new AtomicBoolean(true);

	private final AtomicBoolean cancelled = new AtomicBoolean();

	private final Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();

	private final Sinks.Empty<Void> end = Sinks.empty();

	private Mono<Void> write(Duration patience) {
		ReactiveMcpEvents output = new ReactiveMcpEvents(this.response, INTERVAL, INTERVAL, patience, this.wanted::get,
				this.gone::incrementAndGet, (event) -> event.toString(StandardCharsets.UTF_8).contains("last"),
				this.end.asMono());
		return output.writeAndFlushWith(this.events.asFlux()
			.doOnCancel(() -> this.cancelled.set(true))
			.map((event) -> Flux.just(output.bufferFactory().wrap((event + "\n").getBytes(StandardCharsets.UTF_8)))));
	}

	@Test
	void nothingFollowsTheLastEvent() {
		this.events.tryEmitNext("first");
		this.events.tryEmitNext("last");
		this.events.tryEmitNext("more");
		write(Duration.ofMinutes(1)).block();
		assertThat(this.response.getBodyAsString().block()).matches("(:\n)*first\n(:\n)*last\n");
		assertThat(this.cancelled).isTrue();
		assertThat(this.gone).hasValue(0);
	}

	@Test
	void commentsEndWithTheEvents() {
		Disposable writing = write(Duration.ofMinutes(1)).subscribe();
		this.events.tryEmitNext("first");
		this.events.tryEmitComplete();
		await().until(writing::isDisposed);
		assertThat(this.response.getBodyAsString().block()).matches("(:\n)*first\n(:\n)*");
	}

	@Test
	void streamThatIsNotWantedIsReported() {
		Disposable writing = write(Duration.ofMinutes(1)).subscribe();
		this.wanted.set(false);
		await().until(() -> this.gone.get() > 0);
		this.end.tryEmitEmpty();
		await().until(writing::isDisposed);
		assertThat(this.cancelled).isTrue();
	}

	@Test
	void eventsForClientThatDoesNotReadAreDropped() {
		this.response.setWriteHandler((body) -> Mono.create((sink) -> body.subscribe(new BaseSubscriber<DataBuffer>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				subscription.request(1);
			}

		})));
		Disposable writing = write(Duration.ofMillis(200)).subscribe();
		await().untilTrue(this.cancelled);
		assertThat(this.gone.get()).isPositive();
		writing.dispose();
	}

}

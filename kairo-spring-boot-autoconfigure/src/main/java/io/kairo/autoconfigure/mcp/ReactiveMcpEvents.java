package io.kairo.autoconfigure.mcp;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

/**
 * A response with an event stream, which has comments between its events that reveal
 * whether the client is gone.
 */
final class ReactiveMcpEvents extends ServerHttpResponseDecorator {

	/** No blank line: the client of the SDK stalls after 256 that do not end an event. */
	private static final byte[] COMMENT = ":\n".getBytes(StandardCharsets.US_ASCII);

	private final Duration first;

	private final Duration interval;

	private final Runnable beat;

	private final Mono<?> end;

	/**
	 * Creates a response.
	 * @param first the time until the first comment
	 * @param interval the time between two comments
	 * @param beat called before each comment; does not block
	 * @param end completes when the stream is to be ended
	 */
	ReactiveMcpEvents(ServerHttpResponse response, Duration first, Duration interval, Runnable beat, Mono<?> end) {
		super(response);
		this.first = first;
		this.interval = interval;
		this.beat = beat;
		this.end = end;
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		Flux<Publisher<? extends DataBuffer>> comments = Flux.interval(this.first, this.interval)
			.onBackpressureDrop()
			.doOnNext((number) -> this.beat.run())
			.map((number) -> Mono.fromSupplier(() -> bufferFactory().wrap(COMMENT)));
		return super.writeAndFlushWith(Flux.<Publisher<? extends DataBuffer>>from(body)
			.publish((events) -> Flux.merge(events, comments.takeUntilOther(events.ignoreElements())))
			.takeUntilOther(this.end));
	}

}

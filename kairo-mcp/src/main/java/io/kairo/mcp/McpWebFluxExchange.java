package io.kairo.mcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * A request to the MCP endpoint of a reactive application and its response, which begins
 * when the work for the request says how. It is written in small buffers, each when the
 * client has made room for it, to tell a client that reads slowly from one that does not
 * read.
 */
final class McpWebFluxExchange implements McpHttpExchange {

	private static final boolean NETTY = ClassUtils.isPresent("reactor.netty.http.server.HttpServerRequest", null);

	private static final int BUFFER_BYTES = 64 * 1024;

	private final ServerWebExchange exchange;

	private final @Nullable Principal principal;

	private final Executor executor;

	private final Duration writeTime;

	/** Emits the writing of the response. */
	private final Sinks.One<Mono<Void>> response = Sinks.one();

	private final Sinks.Empty<Void> handled = Sinks.empty();

	/** The time when the client made room for something. */
	private volatile long lastRead = System.nanoTime();

	private volatile @Nullable Output output;

	/**
	 * Creates an exchange.
	 * @param executor runs the actions for the end of a stream
	 * @param writeTime the time after which a client that reads nothing is gone
	 */
	McpWebFluxExchange(ServerWebExchange exchange, @Nullable Principal principal, Executor executor,
			Duration writeTime) {
		this.exchange = exchange;
		this.principal = principal;
		this.executor = executor;
		this.writeTime = writeTime;
	}

	ServerHttpRequest request() {
		return this.exchange.getRequest();
	}

	@Override
	public String method() {
		return request().getMethod().name();
	}

	/**
	 * Returns the values of a header. The host of an absolute target is another host.
	 */
	@Override
	public List<String> headers(String name) {
		List<String> values = request().getHeaders().getOrEmpty(name);
		String target = (NETTY && name.equals(HttpHeaders.HOST)) ? NettyTarget.host(request()) : null;
		return (target == null || values.contains(target)) ? values
				: Stream.concat(values.stream(), Stream.of(target)).toList();
	}

	@Override
	public boolean isSecure() {
		return "https".equals(request().getURI().getScheme());
	}

	@Override
	public String localAddress() {
		InetSocketAddress local = request().getLocalAddress();
		// the rules for the loopback interface are the stricter ones
		return (local == null || local.getAddress() == null) ? "127.0.0.1" : local.getAddress().getHostAddress();
	}

	@Override
	public @Nullable Principal principal() {
		return this.principal;
	}

	@Override
	public void respond(int status, @Nullable String session, byte[] json) {
		ServerHttpResponse to = this.exchange.getResponse();
		to.setStatusCode(HttpStatusCode.valueOf(status));
		if (session != null) {
			to.getHeaders().set(McpEndpoint.SESSION_HEADER, session);
		}
		to.getHeaders().setContentLength(json.length);
		if (json.length > 0) {
			to.getHeaders().setContentType(MediaType.APPLICATION_JSON);
		}
		Flux<Mono<DataBuffer>> buffers = buffers(json, () -> {
		});
		this.response.tryEmitValue((json.length > BUFFER_BYTES) ? to.writeAndFlushWith(buffers)
				// sent together with the headers
				: (json.length > 0) ? to.writeWith(buffers.next().flatMap(Function.identity())) : to.setComplete());
	}

	@Override
	public McpOutput stream() {
		ServerHttpResponse to = this.exchange.getResponse();
		to.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
		to.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-cache");
		Output opened = new Output();
		this.output = opened;
		this.lastRead = System.nanoTime();
		this.response.tryEmitValue(to.writeAndFlushWith(opened.buffers()));
		return opened;
	}

	/**
	 * Returns the buffers for a content. The server makes each of them when it has
	 * written the one before.
	 * @param whenBegun runs when the first one is made
	 */
	private Flux<Mono<DataBuffer>> buffers(byte[] content, Runnable whenBegun) {
		return Flux.range(0, (content.length - 1) / BUFFER_BYTES + 1).map((index) -> Mono.fromSupplier(() -> {
			this.lastRead = System.nanoTime();
			int start = index * BUFFER_BYTES;
			if (start == 0) {
				whenBegun.run();
			}
			return this.exchange.getResponse()
				.bufferFactory()
				.wrap(ByteBuffer.wrap(content, start, Math.min(BUFFER_BYTES, content.length - start)));
		}));
	}

	/**
	 * Notes that the work for the request has ended.
	 */
	void handled() {
		this.lastRead = System.nanoTime();
		this.response.tryEmitEmpty();
		this.handled.tryEmitEmpty();
	}

	void fail(Throwable failure) {
		this.response.tryEmitError(failure);
	}

	/**
	 * Returns the writing of the response. It fails when the client reads nothing of an
	 * answer for some time after the work for it has ended.
	 */
	Mono<Void> written() {
		return this.response.asMono()
			.flatMap((writing) -> method().equals("GET") ? writing : Mono.firstWithSignal(writing, unread()));
	}

	private Mono<Void> unread() {
		return this.handled.asMono()
			.then(Mono.defer(() -> Mono.delay(this.writeTime.minusNanos(unreadNanos()))))
			.repeat(() -> unreadNanos() < this.writeTime.toNanos())
			.then(Mono.error(() -> new IOException("The client does not read the answer")));
	}

	private long unreadNanos() {
		return System.nanoTime() - this.lastRead;
	}

	/**
	 * Notes that the response has ended on both sides.
	 */
	void closed() {
		Output opened = this.output;
		if (opened != null) {
			this.executor.execute(opened.whenEnded);
		}
	}

	/**
	 * The target of a request to Netty, of which Spring drops the host.
	 */
	private static final class NettyTarget {

		static @Nullable String host(ServerHttpRequest request) {
			Object own = ServerHttpRequestDecorator.getNativeRequest(request);
			String target = (own instanceof HttpServerRequest netty) ? netty.uri() : "";
			int start = target.indexOf("://");
			if (start < 0 || target.indexOf('/') < start) {
				return null;
			}
			return target.substring(start + 3).split("[/?#]", 2)[0];
		}

	}

	/**
	 * A stream of the response. A thread that writes waits for the client to read.
	 */
	private final class Output implements McpOutput {

		/** The number of events that the client has not begun to read. */
		private static final int UNREAD = 16;

		private final Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();

		private final Semaphore room = new Semaphore(UNREAD);

		private volatile Runnable whenEnded = () -> {
		};

		Flux<Mono<DataBuffer>> buffers() {
			return this.events.asFlux()
				.concatMap((event) -> McpWebFluxExchange.this.buffers(event.getBytes(StandardCharsets.UTF_8),
						this.room::release), 1)
				.doOnCancel(() -> McpWebFluxExchange.this.executor.execute(this.whenEnded));
		}

		@Override
		public void write(String text) throws IOException {
			try {
				long waitNanos = McpWebFluxExchange.this.writeTime.toNanos() / 2;
				long left = waitNanos;
				while (!this.room.tryAcquire(left, TimeUnit.NANOSECONDS)) {
					left = waitNanos - unreadNanos();
					requireReader(left > 0);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IOException("The thread was interrupted", ex);
			}
			emit(text);
		}

		private static void requireReader(boolean reads) throws IOException {
			if (!reads) {
				throw new IOException("The client does not read its event stream");
			}
		}

		private void emit(String text) throws IOException {
			if (this.events.tryEmitNext(text).isFailure()) {
				throw new IOException("The client is gone");
			}
		}

		/**
		 * Writes a comment unless the client has much to read.
		 */
		@Override
		public void comment() throws IOException {
			if (this.room.tryAcquire()) {
				emit(COMMENT);
			}
			else {
				requireReader(unreadNanos() <= McpWebFluxExchange.this.writeTime.toNanos());
			}
		}

		@Override
		public void end() {
			this.events.tryEmitComplete();
		}

		@Override
		public void onEnd(Runnable action) {
			this.whenEnded = action;
		}

	}

}

package io.kairo.mcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.server.HttpServerRequest;
import reactor.util.context.ContextView;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;

/**
 * The MCP endpoint of a reactive application. Messages are read without a thread that
 * waits for them, and handled on threads of its own, since tools and tenant resolvers
 * block: as many as there can be messages in progress, and not those of Reactor, which
 * long commands would take from the application. Such a thread has the Reactor context of
 * its request and its tenant. Safe for use by several threads.
 */
final class McpWebFluxHandler implements WebHandler, AutoCloseable {

	/** A client that does not read an answer for this time is gone. */
	private static final Duration WRITE_TIME = Duration.ofMinutes(1);

	/** Requests whose caller is not known yet. They have no slot. */
	private static final int MAX_WAITING = 10_000;

	private static final boolean NETTY = ClassUtils.isPresent("reactor.netty.http.server.HttpServerRequest", null);

	private final McpEndpoint endpoint;

	private final TenantContextHolder tenants;

	private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().clearMissing(true).build();

	private final ThreadPoolExecutor executor;

	/**
	 * Creates the handler. Its threads are started on demand.
	 * @param requests the maximum number of requests in progress
	 */
	McpWebFluxHandler(McpEndpoint endpoint, TenantContextHolder tenants, int requests) {
		this.endpoint = endpoint;
		this.tenants = tenants;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("kairo-mcp-");
		threads.setDaemon(true);
		int maximum = requests + McpEndpoint.spare(requests) + Runtime.getRuntime().availableProcessors();
		this.executor = new ThreadPoolExecutor(maximum, maximum, 30, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_WAITING), threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange) {
		return exchange.getPrincipal()
			.<Optional<Principal>>map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((principal) -> Mono
				.deferContextual((context) -> serve(new Exchange(exchange, principal.orElse(null)), context)));
	}

	private Mono<Void> serve(Exchange exchange, ContextView context) {
		return this.<Optional<TenantContext>>run(context, () -> this.endpoint.identify(exchange), () -> {
		})
			.flatMap((caller) -> answer(exchange, this.endpoint.admit(exchange, caller), context))
			.onErrorResume(McpRefusedException.class, (refusal) -> {
				refuse(exchange, refusal);
				return exchange.response.asMono().flatMap((response) -> response);
			});
	}

	private void refuse(Exchange exchange, McpRefusedException refusal) {
		try {
			this.endpoint.refuse(exchange, refusal, null);
		}
		catch (IOException ex) {
			exchange.response.tryEmitError(ex);
		}
	}

	/**
	 * Answers a call. Its slot is free again when the response has been sent, or the
	 * client is gone, and no thread works for it any more.
	 */
	private Mono<Void> answer(Exchange exchange, McpCall call, ContextView context) {
		AtomicInteger users = new AtomicInteger(1);
		Runnable leave = () -> {
			if (users.decrementAndGet() == 0) {
				call.close();
				exchange.closed();
			}
		};
		Mono<Void> read = exchange.method().equals("POST") ? read(exchange, call) : Mono.empty();
		Mono<Void> handled = Mono.fromRunnable(() -> {
			if (users.incrementAndGet() == 1) {
				// the client is gone, and the call is closed
				return;
			}
			execute(() -> handle(exchange, call, context, leave), () -> {
				refuse(exchange, tooMany());
				leave.run();
			});
		});
		return read.then(handled)
			.then(exchange.response.asMono())
			.flatMap((response) -> exchange.method().equals("GET") ? response
					: Mono.firstWithSignal(response, exchange.unread()))
			.doOnCancel(() -> cancel(call))
			.doOnError((ex) -> cancel(call))
			.doFinally((signal) -> leave.run());
	}

	private void handle(Exchange exchange, McpCall call, ContextView context, Runnable leave) {
		TenantContext caller = call.caller().orElse(null);
		try (ContextSnapshot.Scope own = this.snapshots.setThreadLocalsFrom(context);
				TenantContextHolder.Scope scope = (caller != null) ? this.tenants.bind(caller) : () -> {
				}) {
			this.endpoint.handle(call);
			exchange.response.tryEmitEmpty();
		}
		catch (Throwable ex) {
			exchange.response.tryEmitError(ex);
		}
		finally {
			exchange.handled.tryEmitEmpty();
			leave.run();
		}
	}

	/**
	 * Reads the content of a message.
	 */
	private Mono<Void> read(Exchange exchange, McpCall call) {
		McpBody body = call.body();
		ServerHttpRequest request = exchange.exchange.getRequest();
		return Mono.fromRunnable(() -> body.requireLength(request.getHeaders().getContentLength()))
			.thenMany(request.getBody())
			.concatMap((part) -> body.isSmall() ? Mono.fromRunnable(() -> add(body, part))
					: this.<Void>run(null, () -> add(body, part), () -> DataBufferUtils.release(part)), 1)
			.doOnDiscard(DataBuffer.class, DataBufferUtils::release)
			.then()
			.timeout(McpBody.READ_TIME, Mono.error(McpBody::tooSlow))
			.onErrorMap((ex) -> !(ex instanceof McpRefusedException),
					(ex) -> new McpRefusedException(400, "The message was not received completely"));
	}

	private static @Nullable Void add(McpBody body, DataBuffer part) {
		try {
			byte[] bytes = new byte[part.readableByteCount()];
			part.read(bytes);
			body.add(bytes, bytes.length);
		}
		finally {
			DataBufferUtils.release(part);
		}
		return null;
	}

	/**
	 * Cancels a call whose client is gone.
	 */
	private void cancel(McpCall call) {
		execute(call.cancellation()::cancel, call.cancellation()::cancel);
	}

	/**
	 * Runs work that may block. It is not interrupted if the subscription is cancelled.
	 * @param context the context that the thread takes over, null for none
	 * @param ifRejected runs if no thread will do the work
	 */
	private <T> Mono<T> run(@Nullable ContextView context, Work<T> work, Runnable ifRejected) {
		return Mono.create((sink) -> execute(() -> {
			try (ContextSnapshot.Scope own = (context != null) ? this.snapshots.setThreadLocalsFrom(context) : null) {
				sink.success(work.run());
			}
			catch (Throwable ex) {
				sink.error(ex);
			}
		}, () -> {
			ifRejected.run();
			sink.error(tooMany());
		}));
	}

	private void execute(Runnable work, Runnable ifRejected) {
		try {
			this.executor.execute(work);
		}
		catch (RejectedExecutionException ex) {
			ifRejected.run();
		}
	}

	private static McpRefusedException tooMany() {
		return new McpRefusedException(503, "Too many requests are in progress: try again");
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

	/**
	 * Work that may block.
	 *
	 * @param <T> the type of the outcome
	 */
	private interface Work<T> {

		@Nullable T run();

	}

	/**
	 * A request and its response, which begins when the work for the request says how.
	 */
	private final class Exchange implements McpHttpExchange {

		private final ServerWebExchange exchange;

		private final @Nullable Principal principal;

		/** Emits the writing of the response. */
		private final Sinks.One<Mono<Void>> response = Sinks.one();

		private final Sinks.Empty<Void> handled = Sinks.empty();

		private volatile @Nullable Output output;

		Exchange(ServerWebExchange exchange, @Nullable Principal principal) {
			this.exchange = exchange;
			this.principal = principal;
		}

		@Override
		public String method() {
			return this.exchange.getRequest().getMethod().name();
		}

		/**
		 * Returns the values of a header. The host of an absolute target is another host.
		 */
		@Override
		public List<String> headers(String name) {
			ServerHttpRequest request = this.exchange.getRequest();
			List<String> values = request.getHeaders().getOrEmpty(name);
			String target = (NETTY && name.equals(HttpHeaders.HOST)) ? NettyTarget.host(request) : null;
			return (target == null || values.contains(target)) ? values
					: Stream.concat(values.stream(), Stream.of(target)).toList();
		}

		@Override
		public boolean isSecure() {
			return "https".equals(this.exchange.getRequest().getURI().getScheme());
		}

		@Override
		public String localAddress() {
			InetSocketAddress local = this.exchange.getRequest().getLocalAddress();
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
			this.response.tryEmitValue((json.length > 0)
					? to.writeWith(Mono.fromSupplier(() -> to.bufferFactory().wrap(json))) : to.setComplete());
		}

		@Override
		public McpOutput stream() {
			ServerHttpResponse to = this.exchange.getResponse();
			to.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
			to.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-cache");
			Output opened = new Output((action) -> execute(action, action));
			this.output = opened;
			this.response.tryEmitValue(to.writeAndFlushWith(opened.buffers(to)));
			return opened;
		}

		/**
		 * Fails when the client has not read the answer some time after it was made.
		 */
		Mono<Void> unread() {
			return this.handled.asMono()
				.then(Mono.delay(WRITE_TIME))
				.then(Mono.error(() -> new IOException("The client does not read the answer")));
		}

		/**
		 * Notes that the response has ended on both sides.
		 */
		void closed() {
			Output opened = this.output;
			if (opened != null) {
				opened.executor.accept(opened.whenEnded);
			}
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
	 * A stream of a response. A thread that writes waits for the client to read.
	 */
	private static final class Output implements McpOutput {

		/** The number of events that the client has not read. */
		private static final int UNREAD = 16;

		private static final long WAIT_SECONDS = 30;

		private final Consumer<Runnable> executor;

		private final Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();

		private final Semaphore room = new Semaphore(UNREAD);

		private volatile long lastRead = System.nanoTime();

		private volatile Runnable whenEnded = () -> {
		};

		Output(Consumer<Runnable> executor) {
			this.executor = executor;
		}

		Flux<Publisher<DataBuffer>> buffers(ServerHttpResponse response) {
			return this.events.asFlux().<Publisher<DataBuffer>>map((event) -> Mono.fromSupplier(() -> {
				this.room.release();
				this.lastRead = System.nanoTime();
				return response.bufferFactory().wrap(event.getBytes(StandardCharsets.UTF_8));
			})).doOnCancel(() -> this.executor.accept(this.whenEnded));
		}

		@Override
		public void write(String text) throws IOException {
			try {
				if (!this.room.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
					throw new IOException("The client does not read its event stream");
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IOException("The thread was interrupted", ex);
			}
			emit(text);
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
			else if (System.nanoTime() - this.lastRead > TimeUnit.SECONDS.toNanos(2 * WAIT_SECONDS)) {
				throw new IOException("The client does not read its event stream");
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

package io.kairo.mcp;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
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

	/** A client that reads nothing of an answer for this time is gone. */
	private static final Duration WRITE_TIME = Duration.ofMinutes(1);

	/** Requests whose caller is not known yet. They have no slot. */
	private static final int MAX_WAITING = 10_000;

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

	private McpWebFluxExchange exchange(ServerWebExchange exchange, @Nullable Principal principal) {
		return new McpWebFluxExchange(exchange, principal, (action) -> execute(action, action), WRITE_TIME);
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange) {
		return exchange.getPrincipal()
			.<Optional<Principal>>map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((principal) -> Mono
				.deferContextual((context) -> serve(exchange(exchange, principal.orElse(null)), context)));
	}

	private Mono<Void> serve(McpWebFluxExchange exchange, ContextView context) {
		return this.<Optional<TenantContext>>run(context, () -> this.endpoint.identify(exchange), () -> {
		})
			.flatMap((caller) -> answer(exchange, this.endpoint.admit(exchange, caller), context))
			.onErrorResume(McpRefusedException.class, (refusal) -> {
				refuse(exchange, refusal);
				return exchange.written();
			});
	}

	private void refuse(McpWebFluxExchange exchange, McpRefusedException refusal) {
		try {
			this.endpoint.refuse(exchange, refusal, null);
		}
		catch (IOException ex) {
			exchange.fail(ex);
		}
	}

	/**
	 * Answers a call. Its slot is free again when the response has been sent, or the
	 * client is gone, and no thread works for it any more.
	 */
	private Mono<Void> answer(McpWebFluxExchange exchange, McpCall call, ContextView context) {
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
			.then(exchange.written())
			.doOnCancel(() -> cancel(call))
			.doOnError((ex) -> cancel(call))
			.doFinally((signal) -> leave.run());
	}

	private void handle(McpWebFluxExchange exchange, McpCall call, ContextView context, Runnable leave) {
		TenantContext caller = call.caller().orElse(null);
		try (ContextSnapshot.Scope own = this.snapshots.setThreadLocalsFrom(context);
				TenantContextHolder.Scope scope = (caller != null) ? this.tenants.bind(caller) : () -> {
				}) {
			this.endpoint.handle(call);
		}
		catch (Throwable ex) {
			exchange.fail(ex);
		}
		finally {
			exchange.handled();
			leave.run();
		}
	}

	/**
	 * Reads the content of a message.
	 */
	private Mono<Void> read(McpWebFluxExchange exchange, McpCall call) {
		McpBody body = call.body();
		ServerHttpRequest request = exchange.request();
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

}

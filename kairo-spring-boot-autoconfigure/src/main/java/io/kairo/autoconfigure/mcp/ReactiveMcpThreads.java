package io.kairo.autoconfigure.mcp;

import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.kairo.tools.Cancellation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads that work for reactive requests, since tools and tenant resolvers block.
 * They are as many as there can be messages in progress. They are not Reactor's threads,
 * since long commands would take those from the application. While a thread works for a
 * call, it knows the caller and has its tenant bound. Safe for use by several threads.
 */
final class ReactiveMcpThreads implements McpRequest, AutoCloseable {

	/** Requests whose caller is not known yet. They have no slot. */
	private static final int MAX_WAITING = 10_000;

	private final TenantContextHolder tenants;

	private final ThreadPoolExecutor executor;

	@SuppressWarnings("ThreadLocalUsage") // Spring contexts share no state
	private final ThreadLocal<@Nullable ReactiveMcpCall> current = new ThreadLocal<>();

	/**
	 * Creates the threads. They are started on demand.
	 * @param requests the maximum number of requests in progress
	 */
	ReactiveMcpThreads(TenantContextHolder tenants, int requests) {
		this.tenants = tenants;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("kairo-mcp-");
		threads.setDaemon(true);
		int maximum = requests + McpGuard.spare(requests) + Runtime.getRuntime().availableProcessors();
		this.executor = new ThreadPoolExecutor(maximum, maximum, 30, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_WAITING), threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Runs work that may block. It is not interrupted if the subscription is cancelled.
	 * @return the outcome, empty if it is null
	 */
	<T> Mono<T> run(Work<T> work) {
		return Mono.create((sink) -> execute(() -> {
			try {
				sink.success(work.run());
			}
			catch (Throwable ex) {
				sink.error(ex);
			}
		}));
	}

	/**
	 * Runs work for a call, unless its client no longer waits.
	 */
	<T> Mono<T> run(ReactiveMcpCall call, Work<T> work) {
		return run(() -> during(call, work));
	}

	private <T> @Nullable T during(ReactiveMcpCall call, Work<T> work) throws Exception {
		if (!call.begin()) {
			return null;
		}
		this.current.set(call);
		TenantContext caller = call.caller().orElse(null);
		try (TenantContextHolder.Scope scope = (caller != null) ? this.tenants.bind(caller) : () -> {
		}) {
			return work.run();
		}
		finally {
			this.current.remove();
			call.end();
		}
	}

	/**
	 * Cancels a call whose client is gone.
	 */
	void cancel(ReactiveMcpCall call) {
		try {
			execute(call.cancellation()::cancel);
		}
		catch (McpRefusedException ex) {
			call.cancellation().cancel();
		}
	}

	private void execute(Runnable work) {
		try {
			this.executor.execute(work);
		}
		catch (RejectedExecutionException ex) {
			throw new McpRefusedException(HttpStatus.SERVICE_UNAVAILABLE,
					"Too many requests are in progress: try again");
		}
	}

	/**
	 * Returns the caller of the call that this thread works for. A thread that works for
	 * none, such as one of Reactor, has no caller.
	 */
	@Override
	public Optional<TenantContext> caller(CallerTenants unused) {
		ReactiveMcpCall call = this.current.get();
		return (call != null) ? call.caller() : Optional.empty();
	}

	@Override
	public @Nullable String id() {
		ReactiveMcpCall call = this.current.get();
		return (call != null) ? call.requestId() : null;
	}

	@Override
	public Cancellation cancellation() {
		ReactiveMcpCall call = this.current.get();
		return (call != null) ? call.cancellation() : McpRequest.super.cancellation();
	}

	@Override
	public void whenSent(Runnable action) {
		ReactiveMcpCall call = this.current.get();
		if (call != null) {
			call.whenClosed(action);
		}
		else {
			action.run();
		}
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
	interface Work<T> {

		/**
		 * Does the work.
		 * @return the outcome, null if there is none
		 */
		@Nullable T run() throws Exception;

	}

}

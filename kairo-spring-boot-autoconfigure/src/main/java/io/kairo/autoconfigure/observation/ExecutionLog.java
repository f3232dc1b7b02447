package io.kairo.autoconfigure.observation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Knows the commands that run, and the last ones that ran. Safe for use by several
 * threads.
 *
 * @since 0.1.0
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ExecutionLog implements SandboxInterceptor {

	private static final int RECENT = 100;

	private final AtomicLong ids = new AtomicLong();

	private final Map<Long, Running> running = new ConcurrentHashMap<>();

	/** The latest first; guarded by itself. */
	private final Deque<ExecutionSummary> recent = new ArrayDeque<>();

	ExecutionLog() {
	}

	/**
	 * Returns the commands that run.
	 * @return a copy, the oldest first
	 */
	public List<ExecutionSummary> active() {
		return this.running.values()
			.stream()
			.map(Running::summary)
			.sorted(Comparator.comparingLong(ExecutionSummary::id))
			.toList();
	}

	/**
	 * Returns the commands that ended last.
	 * @return a copy of at most {@value #RECENT}, the latest first
	 */
	public List<ExecutionSummary> recent() {
		synchronized (this.recent) {
			return List.copyOf(this.recent);
		}
	}

	/**
	 * Ends a command.
	 * @param id its id
	 * @return false if no such command runs
	 */
	public boolean cancel(long id) {
		Running found = this.running.get(id);
		if (found != null) {
			found.handle().cancel();
		}
		return found != null;
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		SandboxHandle handle = chain.proceed(request);
		long id = this.ids.incrementAndGet();
		ExecutionSummary summary = new ExecutionSummary(id, chain.capabilities(request.tenant()).backend(),
				request.tenant().tenantId(), Instant.now(), null, "running", null);
		this.running.put(id, new Running(summary, handle));
		handle.exit().subscribe((exit) -> ended(summary, exit), (failure) -> this.running.remove(id));
		return handle;
	}

	private void ended(ExecutionSummary summary, SandboxExit exit) {
		ExecutionSummary ended = new ExecutionSummary(summary.id(), summary.backend(), summary.tenant(),
				summary.started(), Duration.between(summary.started(), Instant.now()), ExecutionOutcome.of(exit),
				exit.exitCode());
		synchronized (this.recent) {
			this.recent.addFirst(ended);
			if (this.recent.size() > RECENT) {
				this.recent.removeLast();
			}
		}
		this.running.remove(summary.id());
	}

	private record Running(ExecutionSummary summary, SandboxHandle handle) {

	}

}

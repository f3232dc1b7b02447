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
import java.util.function.LongSupplier;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * A log of the running and the most recent commands. Safe for use by several threads.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ExecutionLog implements SandboxInterceptor {

	private static final int RECENT = 100;

	private static final Duration REMEMBERED = Duration.ofMinutes(5);

	private final AtomicLong ids = new AtomicLong();

	private final Map<Long, Running> running = new ConcurrentHashMap<>();

	/** The latest first; guarded by itself. */
	private final Deque<ExecutionSummary> recent = new ArrayDeque<>();

	private final LongSupplier nanoTime;

	private volatile @Nullable SetupFailure setupFailure;

	ExecutionLog() {
		this(System::nanoTime);
	}

	/**
	 * Creates a log.
	 * @param nanoTime the clock of durations, as {@link System#nanoTime()}, unaffected
	 * when the machine's clock is set
	 */
	ExecutionLog(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the running commands.
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
	 * Returns the most recently ended commands.
	 * @return a copy of at most {@value #RECENT}, the latest first
	 */
	public List<ExecutionSummary> recent() {
		synchronized (this.recent) {
			return List.copyOf(this.recent);
		}
	}

	/**
	 * Cancels a command.
	 * @param id the id of the command
	 * @return false if no such command is running
	 */
	public boolean cancel(long id) {
		Running found = this.running.get(id);
		if (found != null) {
			found.handle().cancel();
		}
		return found != null;
	}

	/**
	 * Returns the reason why the sandbox of the most recent command could not be set up.
	 * @return the reason; null if the last command was run, or if that was more than five
	 * minutes ago
	 */
	public @Nullable String setupFailure() {
		SetupFailure failure = this.setupFailure;
		return (failure != null && since(failure.nanos()).compareTo(REMEMBERED) < 0) ? failure.reason() : null;
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		SandboxHandle handle = proceed(request, chain);
		long id = this.ids.incrementAndGet();
		ExecutionSummary summary = new ExecutionSummary(id, chain.capabilities(request.tenant()).backend(),
				request.tenant().tenantId(), Instant.now(), null, "running", null, request.attributes().background());
		this.running.put(id, new Running(summary, handle));
		long started = this.nanoTime.getAsLong();
		handle.exit().subscribe((exit) -> ended(summary, since(started), exit), (failure) -> this.running.remove(id));
		return handle;
	}

	private SandboxHandle proceed(SandboxRequest request, Chain chain) {
		try {
			return chain.proceed(request);
		}
		catch (SandboxException ex) {
			if (ex.code() == SandboxErrorCode.SETUP_FAILED) {
				this.setupFailure = new SetupFailure(this.nanoTime.getAsLong(), String.valueOf(ex.getMessage()));
			}
			throw ex;
		}
	}

	private Duration since(long nanos) {
		return Duration.ofNanos(this.nanoTime.getAsLong() - nanos);
	}

	private void ended(ExecutionSummary summary, Duration duration, SandboxExit exit) {
		ExecutionSummary ended = new ExecutionSummary(summary.id(), summary.backend(), summary.tenant(),
				summary.started(), duration, ExecutionOutcome.of(exit), exit.exitCode(), summary.background());
		this.setupFailure = SandboxExit.NOT_RUN.equals(exit.signal())
				? new SetupFailure(this.nanoTime.getAsLong(), "The last command was not run; the log has the reason")
				: null;
		synchronized (this.recent) {
			this.recent.addFirst(ended);
			if (this.recent.size() > RECENT) {
				this.recent.removeLast();
			}
		}
		this.running.remove(summary.id());
	}

	/**
	 * The failure to set up the sandbox of a command.
	 *
	 * @param nanos the time of the failure, as {@link System#nanoTime()}
	 * @param reason the reason
	 */
	private record SetupFailure(long nanos, String reason) {

	}

	private record Running(ExecutionSummary summary, SandboxHandle handle) {

	}

}

package io.kairo.governance.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import io.kairo.governance.policy.ApprovalOutcome.Kind;
import io.kairo.tools.Cancellation;
import io.kairo.tools.LatestProgress;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolProgress;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a call for the answer to its request. For use by one thread.
 */
final class ApprovalWait {

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(5);

	private final ApprovalStore store;

	private final Duration pollInterval;

	private final ForwardClock clock;

	private final LongSupplier nanoTime;

	ApprovalWait(ApprovalStore store, Duration pollInterval, ForwardClock clock, LongSupplier nanoTime) {
		this.store = store;
		this.pollInterval = pollInterval;
		this.clock = clock;
		this.nanoTime = nanoTime;
	}

	ApprovalOutcome await(PendingApproval approval, ApprovalSignals.Waiter waiter, ToolContext context) {
		Cancellation cancellation = context.cancellation();
		long reported = this.nanoTime.getAsLong() - REPORT_INTERVAL.toNanos();
		try (LatestProgress progress = new LatestProgress(context.progress());
				Cancellation.Registration registration = cancellation.onCancel(waiter::wake)) {
			while (!cancellation.isCancelled() && !waiter.isEnded()) {
				ApprovalOutcome outcome = look(approval);
				if (outcome != null) {
					return outcome;
				}
				if (this.nanoTime.getAsLong() - reported >= REPORT_INTERVAL.toNanos()) {
					reported = this.nanoTime.getAsLong();
					progress.report(new ToolProgress(0, "waiting for approval " + approval.id()));
				}
				Duration left = Duration.between(this.clock.now(), approval.expires());
				waiter.await((left.compareTo(this.pollInterval) < 0) ? left : this.pollInterval);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return ApprovalOutcome.of(Kind.CANCELLED);
	}

	/**
	 * Returns the outcome, null if there is none yet.
	 */
	private @Nullable ApprovalOutcome look(PendingApproval approval) {
		StoredApproval stored = this.store.find(approval.id()).orElse(null);
		Instant now = this.clock.now();
		if (stored == null) {
			return ApprovalOutcome.of(Kind.EXPIRED);
		}
		return switch (stored.state()) {
			case PENDING -> approval.expires().isAfter(now) ? null : expire(approval);
			case APPROVED -> this.store.execute(approval.id(), now)
					? new ApprovalOutcome(Kind.APPROVED, stored.reason(), stored.decidedBy()) : notTaken(approval, now);
			case REJECTED -> new ApprovalOutcome(Kind.REJECTED, stored.reason(), stored.decidedBy());
			case EXPIRED -> ApprovalOutcome.of(Kind.EXPIRED);
			case EXECUTED -> ApprovalOutcome.of(Kind.USED);
		};
	}

	/**
	 * Expires the request, unless it is answered at this moment.
	 */
	private @Nullable ApprovalOutcome expire(PendingApproval approval) {
		return this.store.expire(approval.id()) ? ApprovalOutcome.of(Kind.EXPIRED) : null;
	}

	private ApprovalOutcome notTaken(PendingApproval approval, Instant now) {
		if (approval.expires().isAfter(now)) {
			return ApprovalOutcome.of(Kind.USED);
		}
		this.store.expire(approval.id());
		return ApprovalOutcome.of(Kind.EXPIRED);
	}

}

package io.kairo.tools.limits;

import java.time.Duration;

import io.kairo.tools.Cancellation;
import io.kairo.tools.LatestProgress;
import io.kairo.tools.LimitExceeded;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolProgress;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a call until its command may run. For use by one thread.
 */
final class ExecutionWait {

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(5);

	private final TenantMeter meter;

	private final long start = System.nanoTime();

	ExecutionWait(TenantMeter meter) {
		this.meter = meter;
	}

	/**
	 * Waits for a slot, and counts the command. An interrupt cancels the call and stays
	 * set.
	 * @return the reason why the command may not run; null if it may, and the slot must
	 * be given back
	 */
	@Nullable ToolResult await(ToolContext context) {
		LimitExceeded exceeded = this.meter.exceededMinute();
		if (exceeded != null) {
			return exceeded.result();
		}
		ExecutionSlots.Ticket ticket = this.meter.slots().queue();
		ToolResult refused = ticket.granted() ? null : await(ticket, context);
		if (refused != null) {
			return refused;
		}
		exceeded = this.meter.execute();
		if (exceeded != null) {
			this.meter.slots().free();
			return exceeded.result();
		}
		return null;
	}

	private @Nullable ToolResult await(ExecutionSlots.Ticket ticket, ToolContext context) {
		Cancellation cancellation = context.cancellation();
		boolean decided = false;
		try (LatestProgress progress = new LatestProgress(context.progress());
				Cancellation.Registration registration = cancellation.onCancel(ticket::wake)) {
			while (!ticket.granted()) {
				Duration left = this.meter.limits().executionWaitTimeout().minus(waited());
				if (cancellation.isCancelled() || left.isNegative() || left.isZero()) {
					if (ticket.leave()) {
						decided = true;
						return cancellation.isCancelled() ? cancelled() : this.meter.noSlot().result();
					}
				}
				else {
					progress.report(progress(ticket));
					ticket.await((left.compareTo(REPORT_INTERVAL) < 0) ? left : REPORT_INTERVAL);
				}
			}
			decided = true;
			return null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return cancelled();
		}
		finally {
			if (!decided && !ticket.leave()) {
				this.meter.slots().free();
			}
		}
	}

	private Duration waited() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

	private ToolProgress progress(ExecutionSlots.Ticket ticket) {
		return new ToolProgress(0,
				Phrase.of("waiting for one of %s to end: position %,d, for %,d s, at most %,d s",
						Phrase.count(this.meter.limits().concurrentExecutions(), "running command"), ticket.position(),
						waited().toSeconds(), this.meter.limits().executionWaitTimeout().toSeconds()));
	}

	private static ToolResult cancelled() {
		return ToolResult.cancelled("The command was cancelled while it waited for others to end; it was not run.");
	}

}

package io.kairo.governance.policy;

import java.util.concurrent.CompletionStage;

import io.kairo.tools.ToolContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks a person or a system about a call. Implementations are safe for use by several
 * threads.
 */
@FunctionalInterface
public interface ApprovalHandler {

	/**
	 * Asks about a call. Invoked on the thread of the call, at most once for each call; a
	 * call that is repeated while its request is open is asked about again. The first
	 * answer of all handlers and of {@link Approvals#answer} decides. A failure is logged
	 * and is no answer.
	 * @param approval the request
	 * @param context the context of the call, for use while the call waits only
	 * @return a stage that completes with the answer, or with null if this handler gives
	 * none; returned without waiting for it. It is cancelled when the call waits no
	 * longer
	 */
	CompletionStage<@Nullable ApprovalAnswer> ask(PendingApproval approval, ToolContext context);

}

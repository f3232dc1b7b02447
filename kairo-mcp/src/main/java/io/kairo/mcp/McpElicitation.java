package io.kairo.mcp;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.kairo.api.tenant.TenantContext;
import io.kairo.governance.policy.ApprovalAnswer;
import io.kairo.governance.policy.ApprovalHandler;
import io.kairo.governance.policy.PendingApproval;
import io.kairo.tools.ToolContext;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Asks the person at the client of a call for its approval. Gives no answer for calls of
 * clients that cannot ask, and if the person dismisses the question. Each question takes
 * a thread, as its call does. Safe for use by several threads.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation">Elicitation</a>
 */
final class McpElicitation implements ApprovalHandler, AutoCloseable {

	private static final Log logger = LogFactory.getLog(McpElicitation.class);

	static final String DECISION = "decision";

	static final String ALLOW_ONCE = "allow once";

	static final String ALLOW_FOR_SESSION = "allow for this session";

	static final String DENY = "deny";

	/** Without a default, since a client could send it without asking. */
	private static final Map<String, Object> SCHEMA = Map.of("type", "object", "properties", Map.of(DECISION,
			Map.of("type", "string", "title", "Decision", "enum", List.of(ALLOW_ONCE, ALLOW_FOR_SESSION, DENY))),
			"required", List.of(DECISION));

	/** Shortened to the maximum of the approvals. */
	private static final Duration SESSION = Duration.ofDays(365);

	private final CallingClient client;

	private final ThreadPoolExecutor executor;

	/**
	 * Creates the handler.
	 * @param maxQuestions the maximum number of open questions; calls beyond it are not
	 * asked about
	 */
	McpElicitation(CallingClient client, int maxQuestions) {
		this.client = client;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("kairo-mcp-elicitation-");
		threads.setDaemon(true);
		this.executor = new ThreadPoolExecutor(0, maxQuestions, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), threads);
	}

	@Override
	@SuppressWarnings("NullAway") // compilers differ about annotations of type arguments
	public CompletionStage<@Nullable ApprovalAnswer> ask(PendingApproval approval, ToolContext context) {
		McpSyncServerExchange exchange = this.client.current(approval.session());
		TenantContext tenant = context.tenant();
		if (exchange == null || !canAsk(exchange.getClientCapabilities())
				|| !tenant.tenantId().equals(approval.tenant()) || !tenant.principalId().equals(approval.principal())) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<@Nullable ApprovalAnswer> answer = new CompletableFuture<>();
		try {
			Future<?> question = this.executor.submit(() -> ask(exchange, approval, answer));
			endWith(answer, question);
		}
		catch (RejectedExecutionException ex) {
			logger.warn("A client is not asked for an approval: " + this.executor.getMaximumPoolSize()
					+ " other questions are open");
			answer.complete(null);
		}
		return answer;
	}

	/**
	 * Stops waiting for the client when the call does not wait any more.
	 */
	private static void endWith(CompletionStage<?> answer, Future<?> question) {
		answer.whenComplete((value, failure) -> question.cancel(true));
	}

	private static boolean canAsk(@Nullable ClientCapabilities client) {
		return client != null && client.elicitation() != null
				&& (client.elicitation().form() != null || client.elicitation().url() == null);
	}

	private static void ask(McpSyncServerExchange exchange, PendingApproval approval,
			CompletableFuture<@Nullable ApprovalAnswer> answer) {
		try {
			ElicitResult result = exchange
				.createElicitation(ElicitFormRequest.builder(message(approval), SCHEMA).build());
			answer.complete(answer(result, approval.principal()));
		}
		catch (RuntimeException ex) {
			// the client is gone or has not answered in time, or the call has ended
			logger.debug("A client gave no answer to the request " + approval.id() + " for approval", ex);
			answer.complete(null);
		}
	}

	private static String message(PendingApproval approval) {
		StringBuilder message = new StringBuilder("An agent asks for approval (rule ").append(approval.rule());
		if (!approval.reason().isBlank()) {
			message.append(": ").append(approval.reason());
		}
		return message.append(").\n\n").append(approval.shown()).toString();
	}

	private static @Nullable ApprovalAnswer answer(ElicitResult result, String principal) {
		return switch (result.action()) {
			case ACCEPT -> accepted((result.content() != null) ? result.content().get(DECISION) : null, principal);
			case DECLINE -> ApprovalAnswer.deny(principal, null);
			case CANCEL -> null;
		};
	}

	private static @Nullable ApprovalAnswer accepted(@Nullable Object decision, String principal) {
		if (ALLOW_ONCE.equals(decision)) {
			return ApprovalAnswer.allowOnce(principal);
		}
		if (ALLOW_FOR_SESSION.equals(decision)) {
			return ApprovalAnswer.allowForSession(principal, SESSION);
		}
		return DENY.equals(decision) ? ApprovalAnswer.deny(principal, null) : null;
	}

	/**
	 * Returns the number of open questions.
	 */
	int open() {
		return this.executor.getActiveCount();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}

package io.kairo.governance.policy;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDecision;
import io.kairo.tools.ToolDecision.Outcome;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * Makes a call only if a policy allows it or if it is approved. A call with invalid
 * arguments fails before the policy decides. A call that would fail at the moment fails
 * before approval is requested. A tool with an argument {@code dry_run} changes nothing
 * with {@code "dry_run": true}: such a call is made before approval. A call that is
 * reviewed is made in a trial, and what it changed is committed once that is approved; if
 * it changed nothing, there is nothing to approve. To be placed inside of the audit,
 * since that records the decision, and outside of all interceptors that change a call. A
 * call that waits for approval waits on its thread. Safe for use by several threads.
 */
public final class PolicyInterceptor implements ToolInterceptor {

	/** The code of a call that a rule denies, or no rule allows. */
	public static final String DENIED = "policy_denied";

	/** The code of a call that was not approved. */
	public static final String REJECTED = "approval_denied";

	/** The code of a call whose request for approval was not answered in time. */
	public static final String EXPIRED = "approval_expired";

	/** The code of a call that is no longer the approved one. */
	public static final String STALE = "approval_stale";

	/** The code of a call whose approval was used by another one. */
	public static final String USED = "approval_used";

	/** The code of a call of a tenant with too many pending requests for approval. */
	public static final String TOO_MANY = "too_many_approvals";

	/** The code of a call that is too long to be shown for approval. */
	public static final String TOO_LONG = "approval_too_long";

	/** The code of a call whose approval could not be stored or read. */
	public static final String UNAVAILABLE = "approval_unavailable";

	private static final Logger logger = System.getLogger(PolicyInterceptor.class.getName());

	private static final String ASK_PEOPLE = "Do not repeat the call: continue without it, or ask the user.";

	private final ToolPolicy policy;

	private final Approvals approvals;

	private final Function<String, Map<String, String>> secrets;

	/**
	 * Creates the interceptor.
	 * @param policy the policy
	 * @param approvals the approvals
	 * @param secrets returns the values of the secrets of a tenant by name. In the text
	 * shown for approval, the name replaces a value of at least 8 characters
	 */
	public PolicyInterceptor(ToolPolicy policy, Approvals approvals, Function<String, Map<String, String>> secrets) {
		this.policy = Objects.requireNonNull(policy, "policy");
		this.approvals = Objects.requireNonNull(approvals, "approvals");
		this.secrets = Objects.requireNonNull(secrets, "secrets");
	}

	@Override
	public boolean permits(ToolDefinition tool, TenantContext tenant) {
		return this.policy.permits(tool, tenant.tenantId());
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		ToolResult invalid = chain.validate(call, context);
		if (invalid != null) {
			return invalid;
		}
		ToolDefinition definition = chain.definition(call.name());
		PolicyVerdict verdict = this.policy.decide(call, definition, context);
		return switch (verdict.action()) {
			case ALLOW -> {
				decided(context, Outcome.ALLOWED, verdict, null);
				yield chain.proceed(call, context);
			}
			case DENY -> denied(context, verdict);
			case ASK -> ask(call, context, chain, verdict, false);
			case REVIEW -> ask(call, context, chain, verdict, ReviewedCall.isPossible(call, definition));
		};
	}

	/**
	 * Asks about a call.
	 * @param tried whether it is tried before
	 */
	private ToolResult ask(ToolCall call, ToolContext context, Chain chain, PolicyVerdict verdict, boolean tried) {
		Optional<SessionGrant> grant;
		try {
			grant = this.approvals.granted(call.name(), verdict.rule(), context);
		}
		catch (ApprovalStoreException ex) {
			return unavailable(call, context, verdict, ex);
		}
		if (grant.isPresent()) {
			decided(context, Outcome.APPROVED, verdict, grant.get().decidedBy());
			return chain.proceed(call, context);
		}
		ToolResult foreseen = chain.foresee(call, context);
		if (foreseen != null) {
			return foreseen;
		}
		if (tried) {
			return review(call, context, chain, verdict);
		}
		ShownCall shown = show(call, context, chain);
		return request(call, context, verdict, shown, (by) -> approved(call, context, chain, verdict, shown, by));
	}

	private ToolResult request(ToolCall call, ToolContext context, PolicyVerdict verdict, ShownCall shown,
			Function<ApprovalOutcome, ToolResult> approved) {
		if (shown.failure() != null) {
			return shown.failure();
		}
		ApprovalOutcome outcome;
		try {
			outcome = this.approvals.request(
					new ApprovalQuestion(call.name(), verdict.rule(), verdict.reason(), shown.text(), shown.digest()),
					context);
		}
		catch (ApprovalStoreException ex) {
			return unavailable(call, context, verdict, ex);
		}
		return (outcome.kind() == ApprovalOutcome.Kind.APPROVED) ? approved.apply(outcome)
				: notApproved(context, verdict, outcome);
	}

	/**
	 * Makes a call in a trial, and commits what was approved.
	 */
	private ToolResult review(ToolCall call, ToolContext context, Chain chain, PolicyVerdict verdict) {
		WorkspaceResult<ReviewedCall> begun = ReviewedCall.begin(verdict, context);
		if (begun instanceof WorkspaceResult.Failure<ReviewedCall> failure) {
			return refused(context, Outcome.DENIED, verdict, null, failure.code().code(), failure.message(),
					ASK_PEOPLE);
		}
		try (ReviewedCall reviewed = begun.value()) {
			String directory = ShownCall.directory(context);
			ToolResult result = chain.proceed(call, reviewed.context());
			ShownCall shown = show(call, context, directory, reviewed, result);
			if (shown == null) {
				decided(context, Outcome.ALLOWED, verdict, null);
				return result;
			}
			return request(call, context, verdict, shown, (outcome) -> {
				PolicyVerdict now = this.policy.decide(call, chain.definition(call.name()), context);
				if (now.action() == PolicyAction.DENY) {
					return denied(context, now);
				}
				ShownCall again = show(call, context, directory, reviewed, result);
				if (!now.rule().equals(verdict.rule()) || again == null || !again.digest().equals(shown.digest())) {
					return stale(context, verdict, outcome);
				}
				WorkspaceResult<Boolean> committed = reviewed.commit();
				if (committed instanceof WorkspaceResult.Failure<Boolean> failure) {
					return refused(context, Outcome.DENIED, verdict, outcome.decidedBy(), failure.code().code(),
							failure.message(), "Nothing was changed. Call again once that is resolved.");
				}
				if (!committed.value()) {
					return stale(context, verdict, outcome);
				}
				decided(context, Outcome.APPROVED, verdict, outcome.decidedBy());
				return result;
			});
		}
	}

	/**
	 * Shows what a call changed in its trial.
	 * @return null if it changed nothing
	 */
	private @Nullable ShownCall show(ToolCall call, ToolContext context, String directory, ReviewedCall reviewed,
			ToolResult result) {
		ToolResult effect = reviewed.effect(result);
		return (effect != null)
				? ShownCall.of(call, directory, effect, List.of(), this.secrets.apply(context.tenant().tenantId()))
				: null;
	}

	private static ToolResult stale(ToolContext context, PolicyVerdict verdict, ApprovalOutcome outcome) {
		return refused(context, Outcome.DENIED, verdict, outcome.decidedBy(), STALE,
				"The call was approved, but would now do something else than what was shown; it was not made.",
				"Look at the current state and call the tool again.");
	}

	private static ToolResult unavailable(ToolCall call, ToolContext context, PolicyVerdict verdict,
			ApprovalStoreException ex) {
		logger.log(Level.ERROR, "A call of " + call.name() + " is refused, since its approval is not known", ex);
		return refused(context, Outcome.DENIED, verdict, null, UNAVAILABLE,
				"The call needs approval, and approvals are not available at the moment; it was not made.",
				"Try again later; the operator of the application has to look at the log.");
	}

	/**
	 * Makes an approved call, unless it has become another one while it waited.
	 */
	private ToolResult approved(ToolCall call, ToolContext context, Chain chain, PolicyVerdict verdict, ShownCall shown,
			ApprovalOutcome outcome) {
		PolicyVerdict now = this.policy.decide(call, chain.definition(call.name()), context);
		if (now.action() == PolicyAction.DENY) {
			return denied(context, now);
		}
		if (!now.rule().equals(verdict.rule()) || chain.foresee(call, context) != null
				|| !show(call, context, chain).digest().equals(shown.digest())) {
			return stale(context, verdict, outcome);
		}
		decided(context, Outcome.APPROVED, verdict, outcome.decidedBy());
		return chain.proceed(call, context);
	}

	private ShownCall show(ToolCall call, ToolContext context, Chain chain) {
		ToolDefinition tool = chain.definition(call.name());
		boolean dryRun = hasDryRun(tool);
		return ShownCall.of(call, ShownCall.directory(context),
				dryRun ? chain.proceed(ShownCall.dryRun(call), context) : null,
				dryRun ? List.of() : this.policy.versions(call, tool, context),
				this.secrets.apply(context.tenant().tenantId()));
	}

	private static boolean hasDryRun(@Nullable ToolDefinition tool) {
		return tool != null && tool.inputSchema().get("properties") instanceof Map<?, ?> arguments
				&& arguments.containsKey("dry_run");
	}

	private static ToolResult denied(ToolContext context, PolicyVerdict verdict) {
		return refused(context, Outcome.DENIED, verdict, null, DENIED, "The call is not allowed: " + verdict.reason(),
				ASK_PEOPLE);
	}

	private static ToolResult notApproved(ToolContext context, PolicyVerdict verdict, ApprovalOutcome outcome) {
		return switch (outcome.kind()) {
			case REJECTED -> refused(context, Outcome.REJECTED, verdict, outcome.decidedBy(), REJECTED,
					"The call was not approved" + ((outcome.reason() != null) ? ": " + outcome.reason() : "."),
					ASK_PEOPLE);
			case EXPIRED -> refused(context, Outcome.EXPIRED, verdict, null, EXPIRED,
					"The call needs approval, and was not approved in time; it was not made.", ASK_PEOPLE);
			case USED -> refused(context, Outcome.DENIED, verdict, null, USED,
					"The approval was for one call, and another call has used it.",
					"Look whether its effect is there before calling the tool again.");
			case TOO_MANY -> refused(context, Outcome.DENIED, verdict, null, TOO_MANY,
					"The call needs approval, and too many others wait for theirs.", "Try again later.");
			default -> ToolResult.cancelled("The call was cancelled while it waited for approval; it was not made.");
		};
	}

	private static ToolResult refused(ToolContext context, Outcome outcome, PolicyVerdict verdict,
			@Nullable String decidedBy, String code, String message, String nextStep) {
		decided(context, outcome, verdict, decidedBy);
		return ToolResult.failure(code, message, nextStep);
	}

	private static void decided(ToolContext context, Outcome outcome, PolicyVerdict verdict,
			@Nullable String decidedBy) {
		context.decisions().accept(new ToolDecision(outcome, verdict.rule(), decidedBy));
	}

}

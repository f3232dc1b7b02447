package io.kairo.governance.policy;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.ToolContext;
import org.jspecify.annotations.Nullable;

/**
 * The approvals of calls: requests wait in a store until a handler or the application
 * answers them, or they expire. A call that ends before its request is answered leaves it
 * pending: when it is repeated, by any instance, it is made once if the request has been
 * approved meanwhile. Safe for use by several threads.
 * <p>
 * Times come from the clock of this instance. It is assumed to go on when it is set back.
 * The clocks of several instances should not differ by much.
 */
public final class Approvals implements AutoCloseable {

	private static final Logger logger = System.getLogger(Approvals.class.getName());

	private final ApprovalStore store;

	private final List<ApprovalHandler> handlers;

	private final ApprovalOptions options;

	private final ForwardClock clock;

	private final LongSupplier nanoTime;

	private final ApprovalSignals signals = new ApprovalSignals();

	/**
	 * Creates the approvals.
	 * @param store the store
	 * @param handlers the handlers; all of them are asked
	 * @param options the bounds
	 * @param clock the clock of the times
	 */
	public Approvals(ApprovalStore store, List<ApprovalHandler> handlers, ApprovalOptions options, Clock clock) {
		this(store, handlers, options, clock, System::nanoTime);
	}

	Approvals(ApprovalStore store, List<ApprovalHandler> handlers, ApprovalOptions options, Clock clock,
			LongSupplier nanoTime) {
		this.store = Objects.requireNonNull(store, "store");
		this.handlers = List.copyOf(handlers);
		this.options = Objects.requireNonNull(options, "options");
		this.clock = new ForwardClock(clock, nanoTime);
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the pending requests.
	 * @param tenant the id of the tenant, null for all
	 * @return the requests, the oldest first
	 * @throws ApprovalStoreException if the store cannot be read
	 */
	public List<PendingApproval> pending(@Nullable String tenant) {
		return this.store.pending(tenant, this.clock.now());
	}

	/**
	 * Returns the permissions for sessions that have not ended.
	 * @param tenant the id of the tenant, null for all
	 * @return the permissions, the first to end first
	 * @throws ApprovalStoreException if the store cannot be read
	 */
	public List<SessionGrant> grants(@Nullable String tenant) {
		return this.store.grants(tenant, this.clock.now());
	}

	/**
	 * Ends the permissions of a session. The caller checks that the person may do so.
	 * @param tenant the id of the tenant
	 * @param session the client's id of the session
	 * @return the number of permissions ended by this call
	 * @throws ApprovalStoreException if the store cannot be reached
	 */
	public int revoke(String tenant, String session) {
		return this.store.revoke(tenant, session, this.clock.now());
	}

	/**
	 * Returns the number of calls of this instance that wait for an answer.
	 * @return the number
	 */
	public int waiting() {
		return this.signals.waiting();
	}

	/**
	 * Returns a request, for a check of its tenant before it is answered.
	 * @param id its id
	 * @return the request in any state; empty if it is not known, or no longer
	 * @throws ApprovalStoreException if the store cannot be read
	 */
	public Optional<StoredApproval> find(String id) {
		return this.store.find(id);
	}

	/**
	 * Answers a request. The caller checks that the answerer may do so.
	 * @param id its id
	 * @param digest the digest of the shown content
	 * @param answer the answer
	 * @return the result; only the first answer is accepted
	 * @throws IllegalArgumentException if the answer is for a session and the client of
	 * the call named none
	 * @throws ApprovalStoreException if the store cannot be reached
	 */
	public AnswerResult answer(String id, String digest, ApprovalAnswer answer) {
		StoredApproval stored = this.store.find(id).orElse(null);
		if (stored == null) {
			return AnswerResult.UNKNOWN;
		}
		if (!stored.approval().digest().equals(digest)) {
			return AnswerResult.DIGEST_DIFFERS;
		}
		Instant now = this.clock.now();
		if (this.store.answer(id, digest, answer, grant(stored.approval(), answer, now), now)) {
			this.signals.signal(id);
			return AnswerResult.ACCEPTED;
		}
		ApprovalState state = this.store.find(id).map(StoredApproval::state).orElse(ApprovalState.EXPIRED);
		return (state == ApprovalState.PENDING || state == ApprovalState.EXPIRED) ? AnswerResult.EXPIRED
				: AnswerResult.ALREADY_ANSWERED;
	}

	private @Nullable SessionGrant grant(PendingApproval approval, ApprovalAnswer answer, Instant now) {
		Duration duration = answer.duration();
		if (duration == null) {
			return null;
		}
		String session = approval.session();
		if (session == null) {
			throw new IllegalArgumentException("The request " + approval.id()
					+ " is of a session without an id, so that the session cannot be allowed: allow the call once");
		}
		Duration bounded = (duration.compareTo(this.options.maxSessionGrant()) < 0) ? duration
				: this.options.maxSessionGrant();
		return new SessionGrant(approval.tenant(), approval.principal(), session, approval.tool(), approval.rule(),
				now.plus(bounded), answer.decidedBy());
	}

	/**
	 * Returns the permission of a session for calls that a rule asks about.
	 */
	Optional<SessionGrant> granted(String tool, String rule, ToolContext context) {
		String session = context.sessionId();
		if (session == null) {
			return Optional.empty();
		}
		TenantContext tenant = context.tenant();
		return this.store.grant(
				new SessionGrant(tenant.tenantId(), tenant.principalId(), session, tool, rule, Instant.MAX, ""),
				this.clock.now());
	}

	/**
	 * Asks about a call and waits for the answer. An interrupt cancels the call and stays
	 * set.
	 * @throws ApprovalStoreException if the store cannot be reached
	 */
	ApprovalOutcome request(ApprovalQuestion question, ToolContext context) {
		Instant now = this.clock.now();
		TenantContext tenant = context.tenant();
		PendingApproval asked = new PendingApproval(UUID.randomUUID().toString(), tenant.tenantId(),
				tenant.principalId(), context.sessionId(), question.tool(), question.rule(), question.reason(),
				question.shown(), question.digest(), now, now.plus(this.options.timeout()));
		StoredApproval stored = this.store.open(asked, this.options.maxPending(), now).orElse(null);
		if (stored == null) {
			return ApprovalOutcome.of(ApprovalOutcome.Kind.TOO_MANY);
		}
		try (ApprovalSignals.Waiter waiter = this.signals.waiter(stored.approval().id())) {
			List<CompletionStage<@Nullable ApprovalAnswer>> stages = (stored.state() == ApprovalState.PENDING)
					? ask(stored.approval(), context) : List.of();
			try {
				return new ApprovalWait(this.store, this.options.pollInterval(), this.clock, this.nanoTime)
					.await(stored.approval(), waiter, context);
			}
			finally {
				stages.forEach(Approvals::cancel);
			}
		}
	}

	private List<CompletionStage<@Nullable ApprovalAnswer>> ask(PendingApproval approval, ToolContext context) {
		List<CompletionStage<@Nullable ApprovalAnswer>> stages = new ArrayList<>();
		for (ApprovalHandler handler : this.handlers) {
			try {
				CompletionStage<@Nullable ApprovalAnswer> stage = handler.ask(approval, context);
				stages.add(stage);
				stage.whenComplete((answer, failure) -> answered(approval, answer, failure));
			}
			catch (RuntimeException ex) {
				logger.log(Level.WARNING, "A handler of approvals failed for the request " + approval.id(), ex);
			}
		}
		return stages;
	}

	private void answered(PendingApproval approval, @Nullable ApprovalAnswer answer, @Nullable Throwable failure) {
		if (answer != null) {
			try {
				AnswerResult result = answer(approval.id(), approval.digest(), answer);
				logger.log(Level.DEBUG, () -> "The answer to the request " + approval.id() + ": " + result);
			}
			catch (RuntimeException ex) {
				logger.log(Level.WARNING, "An answer to the request " + approval.id() + " is lost", ex);
			}
		}
		else if (failure != null && !(failure instanceof CancellationException)) {
			logger.log(Level.WARNING, "A handler of approvals failed for the request " + approval.id(), failure);
		}
	}

	/**
	 * Cancels the calls that wait for an answer, and all that ask from now on. Their
	 * requests stay pending.
	 */
	@Override
	public void close() {
		this.signals.close();
	}

	private static void cancel(CompletionStage<@Nullable ApprovalAnswer> stage) {
		try {
			stage.toCompletableFuture().cancel(true);
		}
		catch (RuntimeException ex) {
			logger.log(Level.DEBUG, "A handler of approvals cannot be cancelled", ex);
		}
	}

}

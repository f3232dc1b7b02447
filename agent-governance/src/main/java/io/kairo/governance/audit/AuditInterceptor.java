package io.kairo.governance.audit;

import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.governance.audit.AuditRecord.Caller;
import io.kairo.governance.audit.AuditRecord.Effects;
import io.kairo.governance.audit.AuditRecord.Event;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDecision;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolRefusal;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * Records every call in an {@link AuditLog}, and every refusal. To be the outermost
 * interceptor, but for observation, so that the refusals of all others are recorded.
 * <p>
 * A call that may change something is recorded before it begins and again when it has
 * ended, any other call when it has ended. A call whose start cannot be recorded is not
 * made. Safe for use by several threads.
 */
public final class AuditInterceptor implements ToolInterceptor {

	/** The code of a call that was not made, since it could not be recorded. */
	public static final String UNAVAILABLE = "audit_unavailable";

	/** The code of a call that was made, but whose end could not be recorded. */
	public static final String INCOMPLETE = "audit_incomplete";

	private static final String TRIAL = "Trial";

	/** Maximum number of characters of texts chosen by callers. */
	private static final int MAX_NAME = 200;

	private final AuditLog log;

	private final AuditContent content;

	private final Predicate<String> changes;

	private final Supplier<@Nullable String> traceId;

	private final Clock clock;

	/**
	 * Creates the interceptor.
	 * @param log the audit
	 * @param content the content of the records
	 * @param changes returns whether a call of the tool of a name may change something;
	 * names come from models
	 * @param traceId returns the id of the current trace, or null
	 * @param clock the clock of the times
	 */
	public AuditInterceptor(AuditLog log, AuditContent content, Predicate<String> changes,
			Supplier<@Nullable String> traceId, Clock clock) {
		this.log = log;
		this.content = content;
		this.changes = changes;
		this.traceId = traceId;
		this.clock = clock;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		Recording recording = new Recording(call, context);
		if (this.changes.test(call.name())) {
			try {
				recording.start();
			}
			catch (AuditException ex) {
				recording.notMade();
				return ToolResult.failure(UNAVAILABLE, "The call was not made, since it could not be recorded.",
						"Try again later; the operator of the application has to look at the log.");
			}
		}
		String code = ToolError.INTERNAL_ERROR;
		ToolResult result;
		try {
			result = chain.proceed(call, recording.context());
			code = (result.error() != null) ? result.error().code() : AuditRecord.SUCCESS;
			recording.returned(chain.definition(call.name()), result);
		}
		catch (Throwable ex) {
			recording.endQuietly(code);
			throw ex;
		}
		try {
			recording.end(code);
			return result;
		}
		catch (AuditException ex) {
			return ToolResult.failure(INCOMPLETE,
					"The call was made, but its end is not recorded yet, so its result is withheld.",
					"Do not repeat the call blindly: look whether its effect is there.");
		}
	}

	@Override
	public void refused(ToolRefusal refusal) {
		TenantContext tenant = refusal.tenant();
		this.log.append(new AuditRecord(UUID.randomUUID().toString(), Event.CALL_REFUSED, null, this.clock.instant(),
				caller(tenant, refusal.sessionId(), refusal.adapter()), bounded(refusal.tool()), "", null, null, null,
				Effects.NONE, refusal.error().code(), 0, this.traceId.get()));
	}

	private static Caller caller(@Nullable TenantContext tenant, @Nullable String session, String adapter) {
		String bounded = (session != null) ? bounded(session) : null;
		if (tenant == null) {
			return new Caller(null, null, null, bounded, adapter);
		}
		String agent = tenant.attributes().get(TenantContext.ATTR_AGENT_ID);
		return new Caller(bounded(tenant.tenantId()), bounded(tenant.principalId()),
				(agent != null) ? bounded(agent) : null, bounded, adapter);
	}

	private static String bounded(String text) {
		return (text.length() <= MAX_NAME) ? text : text.substring(0, MAX_NAME);
	}

	/**
	 * The recording of one call.
	 */
	private final class Recording {

		private final ToolCall call;

		private final ToolContext context;

		private final CallEffects effects = new CallEffects();

		private final long begin = System.nanoTime();

		private final String digest;

		private volatile @Nullable ToolDecision decision;

		private @Nullable String started;

		Recording(ToolCall call, ToolContext context) {
			this.call = call;
			this.context = context;
			this.digest = ArgumentDigest.of(call);
		}

		/**
		 * Returns the context for the call. Effects of the call are recorded.
		 */
		ToolContext context() {
			return this.effects.record(this.context, AuditInterceptor.this.content.commands()).decisions((decided) -> {
				this.decision = decided;
				this.context.decisions().accept(decided);
			}).build();
		}

		void start() {
			AuditRecord record = record(Event.CALL_STARTED, Effects.NONE, AuditRecord.STARTED, 0);
			this.started = record.id();
			AuditInterceptor.this.log.require(record, this.context.cancellation());
		}

		/**
		 * Records that the call was not made where its start may be recorded.
		 */
		void notMade() {
			AuditInterceptor.this.log.submit(record(Event.CALL_ENDED, Effects.NONE, UNAVAILABLE, duration()));
		}

		/**
		 * Records what the tool of trials has done.
		 */
		void returned(@Nullable ToolDefinition tool, ToolResult result) {
			if (tool != null && TRIAL.equals(tool.identity()) && Boolean.TRUE.equals(result.data().get("done"))) {
				this.effects.trial(String.valueOf(this.call.arguments().get("action")).toLowerCase(Locale.ROOT));
			}
		}

		void end(String code) {
			AuditInterceptor.this.log.append(
					record(Event.CALL_ENDED, this.effects.end((command) -> commandEnded(command)), code, duration()));
		}

		void endQuietly(String code) {
			try {
				end(code);
			}
			catch (AuditException ex) {
				// the log has it; the failure of the call is more important to the caller
			}
		}

		private void commandEnded(AuditRecord.Command command) {
			AuditInterceptor.this.log.submit(record(Event.COMMAND_ENDED,
					new Effects(List.of(), 0, List.of(command), 0, 0, null), AuditRecord.SUCCESS, duration()));
		}

		private long duration() {
			return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.begin);
		}

		private AuditRecord record(Event event, Effects effects, String code, long duration) {
			AuditInterceptor audit = AuditInterceptor.this;
			// once for each call
			Redaction redaction = (this.started == null && event != Event.COMMAND_ENDED) ? audit.content.arguments()
					: null;
			return new AuditRecord(UUID.randomUUID().toString(), event, this.started, audit.clock.instant(),
					caller(this.context.tenant(), this.context.sessionId(), this.context.adapter()),
					bounded(this.call.name()), bounded(this.call.id()), this.digest,
					(redaction != null) ? redaction.apply(this.call.arguments()) : null, this.decision, effects, code,
					duration, audit.traceId.get());
		}

	}

}

package io.kairo.autoconfigure.policy;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.governance.policy.AnswerResult;
import io.kairo.governance.policy.ApprovalAnswer;
import io.kairo.governance.policy.Approvals;
import io.kairo.governance.policy.ApprovalState;
import io.kairo.governance.policy.ApprovalStoreException;
import io.kairo.governance.policy.PendingApproval;
import io.kairo.governance.policy.SessionGrant;
import io.kairo.governance.policy.StoredApproval;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.convert.DurationStyle;

/**
 * {@link WebEndpoint} for the requests for approval, and for the permissions of sessions.
 * Users with a configured role see and answer the requests of their own tenant or of all
 * tenants; answering and revoking need unrestricted access as well.
 */
@WebEndpoint(id = "kairoapprovals", defaultAccess = Access.READ_ONLY)
public class ApprovalsEndpoint {

	private static final String ANSWERS = Stream.of(ApprovalAnswer.Kind.values())
		.map((kind) -> kind.name().toLowerCase(Locale.ROOT))
		.collect(Collectors.joining(", "));

	private final Approvals approvals;

	private final Approvers approvers;

	ApprovalsEndpoint(Approvals approvals, Approvers approvers) {
		this.approvals = approvals;
		this.approvers = approvers;
	}

	/**
	 * Returns the pending requests, without their details, and the permissions of
	 * sessions.
	 * @param user the user
	 * @return the requests that the user may answer, and the number of the other
	 * requests; or status 503 if the store cannot be reached
	 */
	@ReadOperation
	public WebEndpointResponse<?> pending(SecurityContext user) {
		return answered(() -> {
			List<PendingApproval> all = this.approvals.pending(null);
			List<Request> visible = all.stream()
				.filter((approval) -> this.approvers.include(user, approval.tenant()))
				.map(Request::of)
				.toList();
			List<SessionGrant> grants = this.approvals.grants(null)
				.stream()
				.filter((grant) -> this.approvers.include(user, grant.tenant()))
				.toList();
			return new WebEndpointResponse<>(new Pending(visible, all.size() - visible.size(), grants));
		});
	}

	/**
	 * Returns a request with its details.
	 * @param user the user
	 * @param id the id of the request
	 * @return the request, or status 404 if it is not known or the user may not answer it
	 */
	@ReadOperation
	public WebEndpointResponse<?> approval(SecurityContext user, @Selector String id) {
		return answered(() -> {
			StoredApproval stored = find(user, id);
			return (stored != null) ? new WebEndpointResponse<>(Shown.of(stored)) : unknown();
		});
	}

	/**
	 * Answers a request.
	 * @param user the user
	 * @param id the id of the request
	 * @param digest the digest of the request that was shown
	 * @param answer the answer: allow_once, allow_for_session or deny
	 * @param duration the time that further calls of the session are allowed, such as
	 * 30m, for {@code allow_for_session} only
	 * @param reason the reason for the model, may be null
	 * @return the result; status 404 if the request is not known or the user may not
	 * answer it, 409 if it shows something else or was answered before, 410 if it has
	 * expired, 400 if the answer is invalid, 503 if the store cannot be reached
	 */
	@WriteOperation
	public WebEndpointResponse<?> answer(SecurityContext user, @Selector String id, @Nullable String digest,
			@Nullable String answer, @Nullable String duration, @Nullable String reason) {
		return answered(() -> {
			Principal principal = user.getPrincipal();
			if (principal == null || find(user, id) == null) {
				return unknown();
			}
			String name = principal.getName();
			ApprovalAnswer given = new ApprovalAnswer(kind(answer), duration(duration), reason, name);
			AnswerResult result = this.approvals.answer(id,
					required("digest", digest, "the digest of the request that was shown"), given);
			return new WebEndpointResponse<>(new Answered(result, decidedBy(id, result, name)), switch (result) {
				case ACCEPTED -> WebEndpointResponse.STATUS_OK;
				case UNKNOWN -> WebEndpointResponse.STATUS_NOT_FOUND;
				case DIGEST_DIFFERS, ALREADY_ANSWERED -> 409;
				case EXPIRED -> 410;
			});
		});
	}

	/**
	 * Returns the kind of an answer in any spelling that Spring Boot accepts.
	 */
	private static ApprovalAnswer.Kind kind(@Nullable String answer) {
		String given = required("answer", answer, ANSWERS);
		return Stream.of(ApprovalAnswer.Kind.values())
			.filter((kind) -> letters(kind.name()).equals(letters(given)))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("The answer is '" + given + "': give " + ANSWERS));
	}

	private static String letters(String name) {
		return name.replaceAll("[^A-Za-z]", "").toUpperCase(Locale.ROOT);
	}

	private static @Nullable Duration duration(@Nullable String duration) {
		try {
			return (duration != null) ? DurationStyle.detectAndParse(duration) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The duration is '" + duration + "': give one such as 30m or PT30M", ex);
		}
	}

	private static String required(String name, @Nullable String value, String expected) {
		if (value == null || value.isBlank()) {
			throw new IllegalArgumentException("There is no " + name + ": give " + expected);
		}
		return value;
	}

	/**
	 * Returns the person or system that has decided on a request, null if none has.
	 */
	private @Nullable String decidedBy(String id, AnswerResult result, String user) {
		return switch (result) {
			case ACCEPTED -> user;
			case ALREADY_ANSWERED -> this.approvals.find(id).map(StoredApproval::decidedBy).orElse(null);
			case UNKNOWN, DIGEST_DIFFERS, EXPIRED -> null;
		};
	}

	/**
	 * Ends the permissions of a session.
	 * @param user the user
	 * @param tenant the id of the tenant
	 * @param session the client's id of the session
	 * @return the number of permissions, or status 404 if the user may not answer for the
	 * tenant
	 */
	@DeleteOperation
	public WebEndpointResponse<?> revoke(SecurityContext user, @Nullable String tenant, @Nullable String session) {
		return answered(() -> {
			String owner = required("tenant", tenant, "the id of the tenant");
			return this.approvers.include(user, owner) ? new WebEndpointResponse<>(new Revoked(
					this.approvals.revoke(owner, required("session", session, "the client's id of the session"))))
					: unknown();
		});
	}

	private @Nullable StoredApproval find(SecurityContext user, String id) {
		return this.approvals.find(id)
			.filter((stored) -> this.approvers.include(user, stored.approval().tenant()))
			.orElse(null);
	}

	private static WebEndpointResponse<?> unknown() {
		return new WebEndpointResponse<>(new Problem("There is no such request, or you may not answer it: answers need "
				+ "an authenticated user with one of the roles kairo.policy.approvals.approver-roles, for the "
				+ "user's own tenant, or operator-roles"), WebEndpointResponse.STATUS_NOT_FOUND);
	}

	private static WebEndpointResponse<?> answered(Supplier<WebEndpointResponse<?>> operation) {
		try {
			return operation.get();
		}
		catch (IllegalArgumentException ex) {
			return new WebEndpointResponse<>(new Problem(String.valueOf(ex.getMessage())),
					WebEndpointResponse.STATUS_BAD_REQUEST);
		}
		catch (ApprovalStoreException ex) {
			return new WebEndpointResponse<>(new Problem(String.valueOf(ex.getMessage())), 503);
		}
	}

	/**
	 * The requests and permissions.
	 *
	 * @param approvals the pending requests that the user may answer, the oldest first
	 * @param others the number of other pending requests
	 * @param grants the permissions of sessions that the user may revoke, the first to
	 * end first
	 */
	public record Pending(List<Request> approvals, int others, List<SessionGrant> grants) {

	}

	/**
	 * A pending request.
	 *
	 * @param id its id
	 * @param tenant the id of the tenant
	 * @param principal the user or service inside the tenant
	 * @param session the client's id of the session, null for a session without one
	 * @param tool the name of the tool
	 * @param rule the name of the rule that asks
	 * @param reason the reason of the rule
	 * @param created the time of the request
	 * @param expires the time of its expiry
	 */
	public record Request(String id, String tenant, String principal, @Nullable String session, String tool,
			String rule, String reason, Instant created, Instant expires) {

		static Request of(PendingApproval approval) {
			return new Request(approval.id(), approval.tenant(), approval.principal(), approval.session(),
					approval.tool(), approval.rule(), approval.reason(), approval.created(), approval.expires());
		}

	}

	/**
	 * A request with its details.
	 *
	 * @param request the request
	 * @param state its state
	 * @param shown the text to decide on
	 * @param digest the digest of the details, repeated by the answer
	 * @param decidedBy the user or system that answered, null before that
	 */
	public record Shown(Request request, ApprovalState state, String shown, String digest, @Nullable String decidedBy) {

		static Shown of(StoredApproval stored) {
			return new Shown(Request.of(stored.approval()), stored.state(), stored.approval().shown(),
					stored.approval().digest(), stored.decidedBy());
		}

	}

	/**
	 * The result of an answer.
	 *
	 * @param result the result
	 * @param decidedBy the user or system whose answer counts, this or an earlier one;
	 * null if none does
	 */
	public record Answered(AnswerResult result, @Nullable String decidedBy) {

	}

	/**
	 * The result of revoking.
	 *
	 * @param grants the number of permissions that ended
	 */
	public record Revoked(int grants) {

	}

	/**
	 * A problem.
	 *
	 * @param problem the problem and its remedy
	 */
	public record Problem(String problem) {

	}

}

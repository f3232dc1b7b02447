package io.kairo.governance.policy;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;

import org.jspecify.annotations.Nullable;

/**
 * The rows of the tables of approvals.
 */
final class ApprovalRows {

	static final String COLUMNS = "approval_id, tenant, principal, session_id, tool, rule_name, reason, shown, digest,"
			+ " created_at, expires_at";

	static final String SELECT = "select " + COLUMNS + ", state, answer_reason, decided_by from kairo_approval";

	static final String GRANT_COLUMNS = "tenant, principal, session_id, tool, rule_name, ends_at, decided_by";

	static final String SELECT_GRANT = "select " + GRANT_COLUMNS + " from kairo_approval_grant";

	private static final int MAX_NAME = 255;

	private ApprovalRows() {
	}

	static StoredApproval approval(ResultSet row) throws SQLException {
		PendingApproval approval = new PendingApproval(row.getString(1), row.getString(2), row.getString(3),
				row.getString(4), row.getString(5), row.getString(6), row.getString(7), row.getString(8),
				row.getString(9), row.getObject(10, OffsetDateTime.class).toInstant(),
				row.getObject(11, OffsetDateTime.class).toInstant());
		return new StoredApproval(approval, ApprovalState.valueOf(row.getString(12)), row.getString(13),
				row.getString(14));
	}

	static @Nullable Object[] values(PendingApproval approval, String key) {
		return new @Nullable Object[] { approval.id(), name(approval.tenant()), name(approval.principal()),
				name(approval.session()), name(approval.tool()), name(approval.rule()), text(approval.reason()),
				text(approval.shown()), approval.digest(), approval.created(), approval.expires(), key };
	}

	static SessionGrant grant(ResultSet row) throws SQLException {
		return new SessionGrant(row.getString(1), row.getString(2), row.getString(3), row.getString(4),
				row.getString(5), row.getObject(6, OffsetDateTime.class).toInstant(), row.getString(7));
	}

	static @Nullable Object[] values(SessionGrant grant) {
		return new @Nullable Object[] { name(grant.tenant()), name(grant.principal()), name(grant.session()),
				name(grant.tool()), name(grant.rule()), grant.ends(), shortened(grant.decidedBy()),
				ApprovalKeys.of(grant) };
	}

	/**
	 * Returns a name that is compared, so that it must not be changed.
	 * @throws ApprovalStoreException if a database cannot hold it as it is
	 */
	static @Nullable String name(@Nullable String name) {
		if (name != null && (name.length() > MAX_NAME || !plain(name).equals(name))) {
			throw new ApprovalStoreException("A name of " + name.length() + " characters cannot be stored: it has more "
					+ "than " + MAX_NAME + " or control characters", null);
		}
		return name;
	}

	static String shortened(String text) {
		return plain((text.length() <= MAX_NAME) ? text : text.substring(0, MAX_NAME));
	}

	static @Nullable String text(@Nullable String text) {
		return (text != null) ? plain(text) : null;
	}

	/**
	 * Replaces characters that some databases refuse.
	 */
	private static String plain(String text) {
		StringBuilder plain = new StringBuilder();
		text.codePoints().forEach((c) -> {
			boolean refused = (Character.isISOControl(c) && c != '\n' && c != '\t')
					|| Character.getType(c) == Character.SURROGATE;
			plain.appendCodePoint(refused ? '?' : c);
		});
		return plain.toString();
	}

}

package io.kairo.governance.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

import io.kairo.governance.policy.ApprovalAnswer;
import io.kairo.governance.policy.ApprovalKeys;
import io.kairo.governance.policy.ApprovalState;
import io.kairo.governance.policy.ApprovalStore;
import io.kairo.governance.policy.ApprovalStoreException;
import io.kairo.governance.policy.PendingApproval;
import io.kairo.governance.policy.SessionGrant;
import io.kairo.governance.policy.StoredApproval;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.init.DatabasePopulator;

/**
 * A store in two tables. All instances of an application share it, and it survives their
 * end. Each operation takes a connection of the data source and is a transaction of its
 * own; an answer and an execution are updates under the condition that nothing else came
 * before. An operation with a failed commit is taken not to have happened: no call is
 * made that another instance could make too.
 * <p>
 * The tables are in {@code JdbcApprovalStore-h2.sql} and
 * {@code JdbcApprovalStore-postgresql.sql} beside this class. Rows are removed a week
 * after they expire, and earlier if there are many. The bounds on characters apply to the
 * bytes of the text in UTF-8.
 */
public final class JdbcApprovalStore implements ApprovalStore {

	private static final Duration KEPT = Duration.ofDays(7);

	private static final int ATTEMPTS = 5;

	private static final String COLUMNS = "approval_id, tenant, principal, session_id, tool, rule_name, reason, shown, digest,"
			+ " created_at, expires_at";

	private static final String SELECT = "select " + COLUMNS + ", state, answer_reason, decided_by from kairo_approval";

	private static final String GRANT_COLUMNS = "tenant, principal, session_id, tool, rule_name, ends_at, decided_by";

	private static final String SELECT_GRANT = "select " + GRANT_COLUMNS + " from kairo_approval_grant";

	private static final int MAX_NAME = 255;

	private static final String EXPIRE = "update kairo_approval set state = 'EXPIRED', open_key = null, shown = ''"
			+ " where state in ('PENDING', 'APPROVED') and ";

	private static final String OPEN = "select count(*), count(case when tenant = ? then 1 end),"
			+ " coalesce(sum(octet_length(shown)), 0),"
			+ " coalesce(sum(case when tenant = ? then octet_length(shown) end), 0)"
			+ " from kairo_approval where open_key is not null and expires_at > ?";

	/**
	 * Makes others that insert this row wait for the end of the transaction. The
	 * transaction deletes it again. The row has expired, so that it is in no bound.
	 */
	private static final String LOCK = "insert into kairo_approval (approval_id, open_key, tenant, principal, tool,"
			+ " rule_name, reason, shown, digest, created_at, expires_at, state)"
			+ " values ('lock', 'lock', '', '', '', '', '', '', '', ?, ?, 'LOCK')";

	private static final String UNLOCK = "delete from kairo_approval where approval_id = 'lock'";

	private final JdbcTransactions jdbc;

	/**
	 * Creates a store for a database that has the tables.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcApprovalStore(DataSource dataSource, Duration timeout) {
		this(dataSource, timeout, null);
	}

	/**
	 * Creates a store. It does not connect to the database before it is used.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second
	 * @param tables creates the tables if they are missing, null if they are there
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcApprovalStore(DataSource dataSource, Duration timeout, @Nullable DatabasePopulator tables) {
		this.jdbc = new JdbcTransactions(dataSource, timeout, tables,
				(problem, cause) -> new ApprovalStoreException(problem + ": " + cause.getMessage(), cause));
	}

	@Override
	public Optional<StoredApproval> open(PendingApproval approval, int maxPending, Instant now) {
		String key = ApprovalKeys.of(approval);
		OffsetDateTime time = JdbcTransactions.time(now);
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			List<StoredApproval> known = this.jdbc.perform(() -> existing(key, now));
			if (!known.isEmpty()) {
				return Optional.of(known.get(0));
			}
			if (!this.jdbc.perform(() -> hasRoom(approval, maxPending, time))) {
				return Optional.empty();
			}
			Optional<Boolean> added = this.jdbc.insertUnlessPresent(() -> {
				this.jdbc.update(LOCK, time, time);
				// others may have been added meanwhile
				boolean room = hasRoom(approval, maxPending, time);
				if (room) {
					insert(approval, key, time);
				}
				this.jdbc.update(UNLOCK);
				return room;
			});
			if (added.isPresent()) {
				return added.filter(Boolean::booleanValue)
					.map((room) -> new StoredApproval(approval, ApprovalState.PENDING, null, null));
			}
		}
		throw new ApprovalStoreException("The request " + approval.id()
				+ " could not be added, since others with its key came and went " + ATTEMPTS + " times", null);
	}

	@SuppressWarnings("NullAway") // does not see in class files that values may be null
	private List<StoredApproval> select(String condition, @Nullable Object... values) {
		return this.jdbc.query(SELECT + condition, (row, number) -> approval(row), values);
	}

	private List<StoredApproval> existing(String key, Instant now) {
		List<StoredApproval> open = select(" where open_key = ?", key);
		if (!open.isEmpty() && !open.get(0).approval().expires().isAfter(now)) {
			this.jdbc.update(EXPIRE + "approval_id = ?", open.get(0).approval().id());
			return List.of();
		}
		return open;
	}

	private boolean hasRoom(PendingApproval approval, int maxPending, OffsetDateTime now) {
		String tenant = name(approval.tenant());
		long added = approval.shown().length();
		return this.jdbc
			.query(OPEN, (row, number) -> row.getLong(1) < MAX_OPEN && row.getLong(2) < maxPending
					&& row.getLong(3) + added <= MAX_CHARACTERS && row.getLong(4) + added <= MAX_TENANT_CHARACTERS,
					tenant, tenant, now)
			.get(0);
	}

	private void insert(PendingApproval approval, String key, OffsetDateTime now) {
		this.jdbc.update(EXPIRE + "expires_at <= ?", now);
		this.jdbc.update("delete from kairo_approval where expires_at < ?", now.minus(KEPT));
		keepLast("kairo_approval where open_key is null", "created_at", approval.tenant());
		this.jdbc.update("delete from kairo_approval_grant where ends_at < ?", now.minus(KEPT));
		this.jdbc.update(
				"insert into kairo_approval (" + COLUMNS
						+ ", state, open_key) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'PENDING', ?)",
				approval.id(), name(approval.tenant()), name(approval.principal()), name(approval.session()),
				name(approval.tool()), name(approval.rule()), text(approval.reason()), text(approval.shown()),
				approval.digest(), JdbcTransactions.time(approval.created()), JdbcTransactions.time(approval.expires()),
				key);
	}

	/**
	 * Removes the oldest rows of a tenant, and of all tenants, keeping a maximum number
	 * of each.
	 * @param rows the table and the condition of the rows
	 * @param time the column with their time
	 */
	private void keepLast(String rows, String time, String tenant) {
		keepLast(rows + " and tenant = ?", time, MAX_TENANT_KEPT, name(tenant));
		keepLast(rows, time, MAX_KEPT);
	}

	@SuppressWarnings("NullAway") // does not see in class files that values may be null
	private void keepLast(String rows, String time, int kept, @Nullable Object... values) {
		// as a part of the deletion, H2 would sort all rows again for each row
		String first = "select %2$s from %1$s order by %2$s desc offset %3$d rows fetch next 1 rows only";
		List<OffsetDateTime> removed = this.jdbc.query(first.formatted(rows, time, kept),
				(row, number) -> row.getObject(1, OffsetDateTime.class), values);
		for (OffsetDateTime last : removed) {
			List<@Nullable Object> all = new ArrayList<>(Arrays.asList(values));
			all.add(last);
			this.jdbc.update("delete from " + rows + " and " + time + " <= ?", all.toArray());
		}
	}

	@Override
	public Optional<StoredApproval> find(String id) {
		return this.jdbc.perform(() -> select(" where approval_id = ?", text(id))).stream().findFirst();
	}

	@Override
	public List<PendingApproval> pending(@Nullable String tenant, Instant now) {
		return this.jdbc
			.perform(() -> select(" where state = 'PENDING' and expires_at > ? and tenant = coalesce(?, tenant)"
					+ " order by created_at, approval_id", JdbcTransactions.time(now), name(tenant)))
			.stream()
			.map(StoredApproval::approval)
			.toList();
	}

	@Override
	public boolean answer(String id, String digest, ApprovalAnswer answer, @Nullable SessionGrant grant, Instant now) {
		boolean denied = answer.kind() == ApprovalAnswer.Kind.DENY;
		String update = "update kairo_approval set state = ?, answer_reason = ?, decided_by = ?, shown = ''"
				+ (denied ? ", open_key = null" : "")
				+ " where approval_id = ? and digest = ? and state = 'PENDING' and expires_at > ?";
		return this.jdbc.perform(() -> {
			boolean answered = this.jdbc.update(update,
					(denied ? ApprovalState.REJECTED : ApprovalState.APPROVED).name(), text(answer.reason()),
					shortened(answer.decidedBy()), text(id), text(digest), JdbcTransactions.time(now)) == 1;
			if (answered && grant != null) {
				this.jdbc.update("delete from kairo_approval_grant where grant_key = ? and ends_at <= ?",
						ApprovalKeys.of(grant), JdbcTransactions.time(grant.ends()));
				this.jdbc.update(
						"insert into kairo_approval_grant (" + GRANT_COLUMNS
								+ ", grant_key) values (?, ?, ?, ?, ?, ?, ?, ?)",
						name(grant.tenant()), name(grant.principal()), name(grant.session()), name(grant.tool()),
						name(grant.rule()), JdbcTransactions.time(grant.ends()), shortened(grant.decidedBy()),
						ApprovalKeys.of(grant));
				keepLast("kairo_approval_grant where ends_at is not null", "ends_at", grant.tenant());
			}
			return answered;
		});
	}

	@SuppressWarnings("NullAway") // does not see in class files that values may be null
	private int update(String sql, @Nullable Object... values) {
		return this.jdbc.perform(() -> this.jdbc.update(sql, values));
	}

	@Override
	public boolean execute(String id, Instant now) {
		return update(
				"update kairo_approval set state = 'EXECUTED', open_key = null"
						+ " where approval_id = ? and state = 'APPROVED' and expires_at > ?",
				id, JdbcTransactions.time(now)) == 1;
	}

	@Override
	public boolean expire(String id) {
		return update(EXPIRE + "approval_id = ?", id) == 1;
	}

	@SuppressWarnings("NullAway") // does not see in class files that values may be null
	private List<SessionGrant> selectGrants(String condition, @Nullable Object... values) {
		return this.jdbc.perform(() -> this.jdbc.query(SELECT_GRANT + condition, (row, number) -> grant(row), values));
	}

	@Override
	public Optional<SessionGrant> grant(SessionGrant sought, Instant now) {
		return selectGrants(" where grant_key = ? and ends_at > ? order by ends_at desc", ApprovalKeys.of(sought),
				JdbcTransactions.time(now))
			.stream()
			.findFirst();
	}

	@Override
	public List<SessionGrant> grants(@Nullable String tenant, Instant now) {
		return selectGrants(" where ends_at > ? and tenant = coalesce(?, tenant) order by ends_at",
				JdbcTransactions.time(now), name(tenant));
	}

	@Override
	public int revoke(String tenant, String session, Instant now) {
		return update("delete from kairo_approval_grant where tenant = ? and session_id = ? and ends_at > ?",
				name(tenant), name(session), JdbcTransactions.time(now));
	}

	private static StoredApproval approval(ResultSet row) throws SQLException {
		PendingApproval approval = new PendingApproval(row.getString(1), row.getString(2), row.getString(3),
				row.getString(4), row.getString(5), row.getString(6), row.getString(7), row.getString(8),
				row.getString(9), instant(row, 10), instant(row, 11));
		return new StoredApproval(approval, ApprovalState.valueOf(row.getString(12)), row.getString(13),
				row.getString(14));
	}

	private static SessionGrant grant(ResultSet row) throws SQLException {
		return new SessionGrant(row.getString(1), row.getString(2), row.getString(3), row.getString(4),
				row.getString(5), instant(row, 6), row.getString(7));
	}

	private static Instant instant(ResultSet row, int column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	/**
	 * Returns a name that is compared, so that it must not be changed.
	 * @throws ApprovalStoreException if a database cannot hold it as it is
	 */
	private static @Nullable String name(@Nullable String name) {
		if (name != null && (name.length() > MAX_NAME || !plain(name).equals(name))) {
			throw new ApprovalStoreException("A name of " + name.length() + " characters cannot be stored: it has more "
					+ "than " + MAX_NAME + " or control characters", null);
		}
		return name;
	}

	private static String shortened(String text) {
		return plain((text.length() <= MAX_NAME) ? text : text.substring(0, MAX_NAME));
	}

	private static @Nullable String text(@Nullable String text) {
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

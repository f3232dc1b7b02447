package io.kairo.governance.policy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.JdbcTransactions;
import io.kairo.governance.jdbc.SchemaInitializer;
import org.jspecify.annotations.Nullable;

/**
 * A store in two tables. All instances of an application share it, and it survives their
 * end. Each operation takes a connection of the data source and is a transaction of its
 * own; an answer and an execution are updates under the condition that nothing else came
 * before. An operation with a failed commit is taken not to have happened: no call is
 * made that another instance could make too.
 * <p>
 * The tables are in {@code schema-h2.sql} and {@code schema-postgresql.sql} beside this
 * class. Rows are removed a week after they expire, and earlier if there are many. The
 * bounds on characters apply to the bytes of the text in UTF-8.
 */
public final class JdbcApprovalStore implements ApprovalStore {

	private static final Duration KEPT = Duration.ofDays(7);

	private static final int ATTEMPTS = 5;

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
		this(dataSource, timeout, (connection) -> {
		});
	}

	/**
	 * Creates a store. It does not connect to the database before it is used.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second
	 * @param initializer creates the tables
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcApprovalStore(DataSource dataSource, Duration timeout, SchemaInitializer initializer) {
		this.jdbc = new JdbcTransactions(dataSource, timeout, initializer, ApprovalStoreException::new);
	}

	@Override
	public Optional<StoredApproval> open(PendingApproval approval, int maxPending, Instant now) {
		String key = ApprovalKeys.of(approval);
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			List<StoredApproval> known = this.jdbc.perform((connection) -> existing(connection, key, now));
			if (!known.isEmpty()) {
				return Optional.of(known.get(0));
			}
			if (!this.jdbc.perform((connection) -> hasRoom(connection, approval, maxPending, now))) {
				return Optional.empty();
			}
			AtomicBoolean added = new AtomicBoolean();
			if (this.jdbc.insertUnlessPresent((connection) -> {
				this.jdbc.update(connection, LOCK, now, now);
				// others may have been added meanwhile
				added.set(hasRoom(connection, approval, maxPending, now));
				if (added.get()) {
					insert(connection, approval, key, now);
				}
				this.jdbc.update(connection, UNLOCK);
			})) {
				return added.get() ? Optional.of(new StoredApproval(approval, ApprovalState.PENDING, null, null))
						: Optional.empty();
			}
		}
		throw new ApprovalStoreException("The request " + approval.id()
				+ " could not be added, since others with its key came and went " + ATTEMPTS + " times", null);
	}

	private List<StoredApproval> existing(Connection connection, String key, Instant now) throws SQLException {
		List<StoredApproval> open = this.jdbc.select(connection, ApprovalRows.SELECT + " where open_key = ?",
				ApprovalRows::approval, key);
		if (!open.isEmpty() && !open.get(0).approval().expires().isAfter(now)) {
			this.jdbc.update(connection, EXPIRE + "approval_id = ?", open.get(0).approval().id());
			return List.of();
		}
		return open;
	}

	private boolean hasRoom(Connection connection, PendingApproval approval, int maxPending, Instant now)
			throws SQLException {
		String tenant = ApprovalRows.name(approval.tenant());
		long added = approval.shown().length();
		return this.jdbc
			.select(connection, OPEN, (row) -> row.getLong(1) < MAX_OPEN && row.getLong(2) < maxPending
					&& row.getLong(3) + added <= MAX_CHARACTERS && row.getLong(4) + added <= MAX_TENANT_CHARACTERS,
					tenant, tenant, now)
			.get(0);
	}

	private void insert(Connection connection, PendingApproval approval, String key, Instant now) throws SQLException {
		this.jdbc.update(connection, EXPIRE + "expires_at <= ?", now);
		this.jdbc.update(connection, "delete from kairo_approval where expires_at < ?", now.minus(KEPT));
		keepLast(connection, "kairo_approval where open_key is null", "created_at", approval.tenant());
		this.jdbc.update(connection, "delete from kairo_approval_grant where ends_at < ?", now.minus(KEPT));
		this.jdbc.update(connection,
				"insert into kairo_approval (" + ApprovalRows.COLUMNS
						+ ", state, open_key) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'PENDING', ?)",
				ApprovalRows.values(approval, key));
	}

	/**
	 * Removes the oldest rows of a tenant, and of all tenants, keeping a maximum number
	 * of each.
	 * @param rows the table and the condition of the rows
	 * @param time the column with their time
	 */
	private void keepLast(Connection connection, String rows, String time, String tenant) throws SQLException {
		keepLast(connection, rows + " and tenant = ?", time, MAX_TENANT_KEPT, ApprovalRows.name(tenant));
		keepLast(connection, rows, time, MAX_KEPT);
	}

	private void keepLast(Connection connection, String rows, String time, int maximum, @Nullable Object... parameters)
			throws SQLException {
		List<Instant> further = this.jdbc.select(connection,
				"select " + time + " from " + rows + " order by " + time + " desc offset " + maximum
						+ " rows fetch next 1 rows only",
				(row) -> row.getObject(1, OffsetDateTime.class).toInstant(), parameters);
		if (!further.isEmpty()) {
			@Nullable Object[] until = Arrays.copyOf(parameters, parameters.length + 1);
			until[parameters.length] = further.get(0);
			this.jdbc.update(connection, "delete from " + rows + " and " + time + " <= ?", until);
		}
	}

	@Override
	public Optional<StoredApproval> find(String id) {
		return this.jdbc
			.perform((connection) -> this.jdbc.select(connection, ApprovalRows.SELECT + " where approval_id = ?",
					ApprovalRows::approval, ApprovalRows.text(id)))
			.stream()
			.findFirst();
	}

	@Override
	public List<PendingApproval> pending(@Nullable String tenant, Instant now) {
		String pending = ApprovalRows.SELECT + " where state = 'PENDING' and expires_at > ?";
		String order = " order by created_at, approval_id";
		return this.jdbc
			.perform((connection) -> (tenant != null)
					? this.jdbc.select(connection, pending + " and tenant = ?" + order, ApprovalRows::approval, now,
							ApprovalRows.name(tenant))
					: this.jdbc.select(connection, pending + order, ApprovalRows::approval, now))
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
		return this.jdbc.perform((connection) -> {
			boolean answered = this.jdbc.update(connection, update,
					(denied ? ApprovalState.REJECTED : ApprovalState.APPROVED).name(),
					ApprovalRows.text(answer.reason()), ApprovalRows.shortened(answer.decidedBy()),
					ApprovalRows.text(id), ApprovalRows.text(digest), now) == 1;
			if (answered && grant != null) {
				this.jdbc.update(connection, "delete from kairo_approval_grant where grant_key = ? and ends_at <= ?",
						ApprovalKeys.of(grant), grant.ends());
				this.jdbc.update(connection, "insert into kairo_approval_grant (" + ApprovalRows.GRANT_COLUMNS
						+ ", grant_key) values (?, ?, ?, ?, ?, ?, ?, ?)", ApprovalRows.values(grant));
				keepLast(connection, "kairo_approval_grant where ends_at is not null", "ends_at", grant.tenant());
			}
			return answered;
		});
	}

	@Override
	public boolean execute(String id, Instant now) {
		return this.jdbc
			.perform(
					(connection) -> this.jdbc.update(connection,
							"update kairo_approval set state = 'EXECUTED', open_key = null"
									+ " where approval_id = ? and state = 'APPROVED' and expires_at > ?",
							id, now)) == 1;
	}

	@Override
	public boolean expire(String id) {
		return this.jdbc.perform((connection) -> this.jdbc.update(connection, EXPIRE + "approval_id = ?", id)) == 1;
	}

	@Override
	public Optional<SessionGrant> grant(SessionGrant sought, Instant now) {
		return this.jdbc.perform((connection) -> this.jdbc.select(connection,
				ApprovalRows.SELECT_GRANT + " where grant_key = ? and ends_at > ? order by ends_at desc",
				ApprovalRows::grant, ApprovalKeys.of(sought), now))
			.stream()
			.findFirst();
	}

	@Override
	public List<SessionGrant> grants(@Nullable String tenant, Instant now) {
		String current = ApprovalRows.SELECT_GRANT + " where ends_at > ?";
		String order = " order by ends_at";
		return this.jdbc.perform((connection) -> (tenant != null)
				? this.jdbc.select(connection, current + " and tenant = ?" + order, ApprovalRows::grant, now,
						ApprovalRows.name(tenant))
				: this.jdbc.select(connection, current + order, ApprovalRows::grant, now));
	}

	@Override
	public int revoke(String tenant, String session, Instant now) {
		return this.jdbc.perform((connection) -> this.jdbc.update(connection,
				"delete from kairo_approval_grant where tenant = ? and session_id = ? and ends_at > ?",
				ApprovalRows.name(tenant), ApprovalRows.name(session), now));
	}

}

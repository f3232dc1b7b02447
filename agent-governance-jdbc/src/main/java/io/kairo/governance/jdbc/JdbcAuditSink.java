package io.kairo.governance.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

import javax.sql.DataSource;

import io.kairo.governance.audit.AuditException;
import io.kairo.governance.audit.AuditJson;
import io.kairo.governance.audit.AuditRecord;
import io.kairo.governance.audit.AuditSink;
import io.kairo.governance.audit.ChainCheck;
import io.kairo.governance.audit.ChainHead;
import io.kairo.governance.audit.ChainLine;
import io.kairo.governance.audit.ChainReport;
import io.kairo.governance.audit.HashChain;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulator;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * A sink that inserts records into a table, in a hash chain that all instances of an
 * application continue: each batch is a transaction that locks the head of the chain.
 * Columns beside the record are for queries; verification compares them with the record.
 * <p>
 * The sink keeps one connection of the data source, so that calls whose transactions have
 * taken all others do not wait for their own audit. The tables are in
 * {@code JdbcAuditSink-h2.sql} and {@code JdbcAuditSink-postgresql.sql} beside this
 * class.
 */
public final class JdbcAuditSink implements AuditSink {

	private static final int MAX_COLUMN = 255;

	private static final int FETCH_SIZE = 1000;

	/** For all records; there may be many. */
	private static final Duration READ_TIMEOUT = Duration.ofMinutes(1);

	private static final String COLUMNS = "record_id, recorded_at, event, tenant, principal, session_id, adapter, tool,"
			+ " code";

	private static final String INSERT = "insert into kairo_audit_record (chain_name, sequence_number, " + COLUMNS
			+ ", record, previous_hash, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String HEAD = "select head_sequence, head_hash from kairo_audit_chain where chain_name = ?";

	private final String chainName;

	private final HashChain chain;

	private final KeptConnection kept;

	private final JdbcTransactions writes;

	private final JdbcTransactions heads;

	private final JdbcTransactions reads;

	/** Whether a commit failed, so that its batch may have been written. */
	private boolean uncertain;

	/**
	 * Creates a sink for a database that has the tables.
	 * @param dataSource the data source
	 * @param chainName the name of the chain, up to 64 characters; a part of the hashes
	 * @param chain the hashes
	 * @param timeout the timeout of a statement, at least one second
	 * @throws IllegalArgumentException if the name is blank, too long or has control
	 * characters, or the timeout is too short
	 */
	public JdbcAuditSink(DataSource dataSource, String chainName, HashChain chain, Duration timeout) {
		this(dataSource, chainName, chain, timeout, null);
	}

	/**
	 * Creates a sink. It does not connect to the database before it is used.
	 * @param dataSource the data source
	 * @param chainName the name of the chain, up to 64 characters; a part of the hashes
	 * @param chain the hashes
	 * @param timeout the timeout of a statement, at least one second
	 * @param tables creates the tables if they are missing, null if they are there
	 * @throws IllegalArgumentException if the name is blank, too long or has control
	 * characters, or the timeout is too short
	 */
	public JdbcAuditSink(DataSource dataSource, String chainName, HashChain chain, Duration timeout,
			@Nullable DatabasePopulator tables) {
		this.chainName = chainName;
		this.chain = chain.named(name(), chainName);
		this.kept = new KeptConnection(dataSource);
		this.writes = new JdbcTransactions(this.kept, timeout, tables,
				(problem, cause) -> failure("The audit cannot be written to the database", cause));
		BiFunction<String, Throwable, AuditException> unreadable = (problem,
				cause) -> failure("The audit cannot be read from the database", cause);
		this.heads = new JdbcTransactions(dataSource, timeout, tables, unreadable);
		this.reads = new JdbcTransactions(dataSource, READ_TIMEOUT, tables, unreadable);
		this.reads.setQueryTimeout(0);
		this.reads.setFetchSize(FETCH_SIZE);
	}

	private static AuditException failure(String message, Throwable cause) {
		return new AuditException(message + ": " + cause.getMessage(), cause);
	}

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public synchronized void append(List<AuditRecord> records) {
		// the database may have closed the connection long ago
		for (boolean again = this.kept.isOpen();; again = false) {
			try {
				write(records);
				return;
			}
			catch (RuntimeException ex) {
				this.kept.release();
				if (!again || !(ex instanceof AuditException)) {
					throw ex;
				}
			}
		}
	}

	private void write(List<AuditRecord> records) {
		if (!this.writes.perform(() -> writeAfterHead(records))) {
			// another instance may do so at the same time
			this.writes.insertUnlessPresent(() -> this.writes.update(
					"insert into kairo_audit_chain (chain_name, head_sequence, head_hash) values (?, ?, ?)",
					this.chainName, ChainHead.NONE.sequence(), ChainHead.NONE.hash()));
			if (!this.writes.perform(() -> writeAfterHead(records))) {
				throw new AuditException("The chain '" + this.chainName
						+ "' is not in the table kairo_audit_chain, and could not be created there", null);
			}
		}
		this.uncertain = false;
	}

	/**
	 * Writes records if the chain has a head, which is locked until the commit.
	 */
	private boolean writeAfterHead(List<AuditRecord> records) {
		Optional<ChainHead> locked = head(this.writes, HEAD + " for update");
		if (locked.isEmpty()) {
			return false;
		}
		ChainHead head = locked.get();
		List<@Nullable Object[]> rows = new ArrayList<>();
		for (AuditRecord record : records) {
			if (!this.uncertain || !isWritten(record)) {
				String json = AuditJson.write(record);
				ChainHead next = this.chain.next(head, json);
				rows.add(row(record, json, head, next));
				head = next;
			}
		}
		this.writes.batchUpdate(INSERT, rows);
		this.writes.update("update kairo_audit_chain set head_sequence = ?, head_hash = ? where chain_name = ?",
				head.sequence(), head.hash(), this.chainName);
		this.uncertain = true;
		return true;
	}

	private Optional<ChainHead> head(JdbcTemplate jdbc, String sql) {
		return jdbc.query(sql, (row, number) -> new ChainHead(row.getLong(1), row.getString(2)), this.chainName)
			.stream()
			.findFirst();
	}

	private boolean isWritten(AuditRecord record) {
		return !this.writes
			.queryForList("select 1 from kairo_audit_record where record_id = ?", Integer.class, record.id())
			.isEmpty();
	}

	private @Nullable Object[] row(AuditRecord record, String json, ChainHead before, ChainHead head) {
		List<@Nullable Object> row = new ArrayList<>(List.of(this.chainName, head.sequence()));
		row.addAll(columns(record));
		row.addAll(List.of(json, before.hash(), head.hash()));
		return row.toArray();
	}

	/**
	 * Returns the values of the columns for queries. Control characters are replaced,
	 * since some databases refuse them: a model chooses the name of a tool.
	 */
	private static List<@Nullable Object> columns(AuditRecord record) {
		AuditRecord.Caller caller = record.caller();
		return Arrays.asList(record.id(), JdbcTransactions.time(record.time()), record.event().name(),
				column(caller.tenant()), column(caller.principal()), column(caller.session()), column(caller.adapter()),
				column(record.tool()), column(record.code()));
	}

	private static @Nullable String column(@Nullable String text) {
		if (text == null) {
			return null;
		}
		StringBuilder column = new StringBuilder();
		text.codePoints().limit(MAX_COLUMN).forEach((character) -> {
			boolean plain = !Character.isISOControl(character) && Character.getType(character) != Character.SURROGATE;
			column.appendCodePoint(plain ? character : '?');
		});
		return column.toString();
	}

	/**
	 * {@inheritDoc} Reads the head of the chain.
	 */
	@Override
	public void check() {
		head();
	}

	@Override
	public Optional<ChainHead> head() {
		return this.heads.perform(() -> head(this.heads, HEAD)).or(() -> Optional.of(ChainHead.NONE));
	}

	/**
	 * {@inheritDoc} The head that the database has is known in any case.
	 */
	@Override
	public Optional<ChainReport> verify(Optional<ChainHead> known) {
		Optional<ChainHead> anchor = known.or(this::head);
		return this.reads.perform(() -> {
			ChainCheck check = new ChainCheck(this.chain, anchor);
			RowCallbackHandler rows = (row) -> add(check, row);
			this.reads.query(
					"select sequence_number, previous_hash, record, hash, " + COLUMNS
							+ " from kairo_audit_record where chain_name = ? order by sequence_number",
					rows, this.chainName);
			return Optional.of(check.report(ChainHead.NONE));
		});
	}

	@Override
	public Optional<List<AuditRecord>> recordsOf(String tenant, String session) {
		return Optional.of(this.reads.perform(() -> this.reads.query(
				"select record from kairo_audit_record"
						+ " where chain_name = ? and tenant = ? and session_id = ? order by sequence_number",
				(row, number) -> AuditJson.read(row.getString(1)), this.chainName, column(tenant), column(session))));
	}

	private static void add(ChainCheck check, ResultSet row) throws SQLException {
		long sequence = row.getLong(1);
		String place = "the row " + sequence;
		ChainLine line = new ChainLine(sequence, row.getString(2), row.getString(3), row.getString(4));
		if (!ChainHead.isHash(line.previous()) || !ChainHead.isHash(line.hash())) {
			check.unreadable(place);
			return;
		}
		check.add(line, place);
		List<@Nullable Object> columns = new ArrayList<>();
		columns.add(row.getString(5));
		columns.add(row.getObject(6, OffsetDateTime.class).withOffsetSameInstant(ZoneOffset.UTC));
		for (int column = 7; column <= 13; column++) {
			columns.add(row.getString(column));
		}
		try {
			if (!columns(AuditJson.read(line.record())).equals(columns)) {
				check.changed(line, place + " has columns that differ from the record in it");
			}
		}
		catch (IllegalArgumentException ex) {
			check.changed(line, place + " has no readable record");
		}
	}

	@Override
	public synchronized void close() {
		this.kept.release();
	}

	/**
	 * Keeps a connection until it is released.
	 */
	private static final class KeptConnection extends DelegatingDataSource implements SmartDataSource {

		private @Nullable Connection connection;

		KeptConnection(DataSource target) {
			super(target);
		}

		boolean isOpen() {
			return this.connection != null;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection current = this.connection;
			if (current == null) {
				current = super.getConnection();
				this.connection = current;
			}
			return current;
		}

		@Override
		public boolean shouldClose(Connection released) {
			return false;
		}

		void release() {
			JdbcUtils.closeConnection(this.connection);
			this.connection = null;
		}

	}

}

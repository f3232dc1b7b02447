package io.kairo.governance.audit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Types;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.LostTransactions;
import io.kairo.governance.jdbc.NetworkTimeout;
import io.kairo.governance.jdbc.SchemaInitializer;
import org.jspecify.annotations.Nullable;

/**
 * A sink that inserts records into a table, in a hash chain that all instances of an
 * application continue: each batch is a transaction that locks the head of the chain.
 * Columns beside the record are for queries; verification compares them with the record.
 * <p>
 * The sink keeps one connection of the data source, so that calls whose transactions have
 * taken all others do not wait for their own audit. The tables are in
 * {@code schema-h2.sql} and {@code schema-postgresql.sql} beside this class.
 */
public final class JdbcAuditSink implements AuditSink {

	private static final Logger logger = System.getLogger(JdbcAuditSink.class.getName());

	private static final int MAX_COLUMN = 255;

	private static final int FETCH_SIZE = 1000;

	/** For all records; there may be many. */
	private static final Duration READ_TIMEOUT = Duration.ofMinutes(1);

	private static final String INSERT = "insert into kairo_audit_record (chain_name, sequence_number, record_id,"
			+ " recorded_at, event, tenant, principal, session_id, adapter, tool, code, record, previous_hash, hash)"
			+ " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private final DataSource dataSource;

	private final String chainName;

	private final HashChain chain;

	private final Duration timeout;

	private final SchemaInitializer initializer;

	/** Guarded by the initializer. */
	private boolean initialized;

	/** Null before the first batch and after a failure. */
	private @Nullable Connection connection;

	/** The bound of the waits of the connection. */
	private @Nullable NetworkTimeout bound;

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
		this(dataSource, chainName, chain, timeout, (connection) -> {
		});
	}

	/**
	 * Creates a sink. It does not connect to the database before it is used.
	 * @param dataSource the data source
	 * @param chainName the name of the chain, up to 64 characters; a part of the hashes
	 * @param chain the hashes
	 * @param timeout the timeout of a statement, at least one second
	 * @param initializer creates the tables
	 * @throws IllegalArgumentException if the name is blank, too long or has control
	 * characters, or the timeout is too short
	 */
	public JdbcAuditSink(DataSource dataSource, String chainName, HashChain chain, Duration timeout,
			SchemaInitializer initializer) {
		if (timeout.toSeconds() < 1) {
			throw new IllegalArgumentException("The timeout is " + timeout + ": it must be at least one second");
		}
		this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
		this.chainName = chainName;
		this.chain = chain.named(name(), chainName);
		this.initializer = Objects.requireNonNull(initializer, "initializer");
		this.timeout = timeout;
	}

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public synchronized void append(List<AuditRecord> records) {
		boolean kept = this.connection != null;
		try {
			write(records);
		}
		catch (SQLException ex) {
			closeConnection();
			if (!kept) {
				throw unwritable(ex);
			}
			// the database may have closed the connection long ago
			appendAgain(records);
		}
		catch (RuntimeException ex) {
			closeConnection();
			throw ex;
		}
	}

	private void appendAgain(List<AuditRecord> records) {
		try {
			write(records);
		}
		catch (SQLException ex) {
			closeConnection();
			throw unwritable(ex);
		}
		catch (RuntimeException ex) {
			closeConnection();
			throw ex;
		}
	}

	private void write(List<AuditRecord> records) throws SQLException {
		Connection current = connection();
		LostTransactions.end(current, this.timeout);
		ChainHead head = lockHead(current);
		try (PreparedStatement insert = prepare(current, INSERT)) {
			for (AuditRecord record : records) {
				if (!this.uncertain || !isWritten(current, record)) {
					head = insert(insert, record, head);
				}
			}
			insert.executeBatch();
		}
		updateHead(current, head);
		this.uncertain = true;
		current.commit();
		this.uncertain = false;
	}

	private static AuditException unwritable(SQLException ex) {
		return new AuditException("The audit cannot be written to the database: " + ex.getMessage(), ex);
	}

	/**
	 * {@inheritDoc} Reads the head of the chain.
	 */
	@Override
	public void check() {
		head();
	}

	private ChainHead insert(PreparedStatement insert, AuditRecord record, ChainHead before) throws SQLException {
		String json = AuditJson.write(record);
		ChainHead head = this.chain.next(before, json);
		insert.setString(1, this.chainName);
		insert.setLong(2, head.sequence());
		insert.setString(3, record.id());
		insert.setObject(4, time(record));
		int column = 5;
		for (String value : columns(record)) {
			if (value != null) {
				insert.setString(column, value);
			}
			else {
				insert.setNull(column, Types.VARCHAR);
			}
			column++;
		}
		insert.setString(12, json);
		insert.setString(13, before.hash());
		insert.setString(14, head.hash());
		insert.addBatch();
		return head;
	}

	private static OffsetDateTime time(AuditRecord record) {
		return record.time().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
	}

	/**
	 * Returns the values of the columns for queries. Control characters are replaced,
	 * since some databases refuse them: a model chooses the name of a tool.
	 */
	private static @Nullable String[] columns(AuditRecord record) {
		return new @Nullable String[] { record.event().name(), column(record.caller().tenant()),
				column(record.caller().principal()), column(record.caller().session()),
				column(record.caller().adapter()), column(record.tool()), column(record.code()) };
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

	private boolean isWritten(Connection current, AuditRecord record) throws SQLException {
		try (PreparedStatement select = prepare(current, "select 1 from kairo_audit_record where record_id = ?")) {
			select.setString(1, record.id());
			try (ResultSet result = select.executeQuery()) {
				return result.next();
			}
		}
	}

	private ChainHead lockHead(Connection current) throws SQLException {
		String select = "select head_sequence, head_hash from kairo_audit_chain where chain_name = ? for update";
		Optional<ChainHead> head = selectHead(current, select);
		if (head.isEmpty()) {
			createHead(current);
			head = selectHead(current, select);
		}
		return head.orElseThrow(() -> new AuditException("The chain '" + this.chainName
				+ "' is not in the table kairo_audit_chain, and could not be created there", null));
	}

	/**
	 * Creates the head of the chain. Another instance may do so at the same time.
	 */
	private void createHead(Connection current) throws SQLException {
		try (PreparedStatement insert = prepare(current,
				"insert into kairo_audit_chain (chain_name, head_sequence, head_hash) values (?, ?, ?)")) {
			insert.setString(1, this.chainName);
			insert.setLong(2, ChainHead.NONE.sequence());
			insert.setString(3, ChainHead.NONE.hash());
			insert.executeUpdate();
			current.commit();
		}
		catch (SQLException ex) {
			current.rollback();
			if (!(ex instanceof SQLIntegrityConstraintViolationException)
					&& !String.valueOf(ex.getSQLState()).startsWith("23")) {
				throw ex;
			}
		}
	}

	private Optional<ChainHead> selectHead(Connection current, String sql) throws SQLException {
		try (PreparedStatement select = prepare(current, sql)) {
			select.setString(1, this.chainName);
			try (ResultSet result = select.executeQuery()) {
				return result.next() ? Optional.of(new ChainHead(result.getLong(1), result.getString(2)))
						: Optional.empty();
			}
		}
	}

	private void updateHead(Connection current, ChainHead head) throws SQLException {
		try (PreparedStatement update = prepare(current,
				"update kairo_audit_chain set head_sequence = ?, head_hash = ? where chain_name = ?")) {
			update.setLong(1, head.sequence());
			update.setString(2, head.hash());
			update.setString(3, this.chainName);
			update.executeUpdate();
		}
	}

	private PreparedStatement prepare(Connection current, String sql) throws SQLException {
		PreparedStatement statement = current.prepareStatement(sql);
		statement.setQueryTimeout(Math.toIntExact(this.timeout.toSeconds()));
		return statement;
	}

	/**
	 * Opens a connection to a database that has the tables.
	 */
	private Connection open() throws SQLException {
		Connection opened = this.dataSource.getConnection();
		try (NetworkTimeout unused = NetworkTimeout.of(opened, this.timeout)) {
			synchronized (this.initializer) {
				if (!this.initialized) {
					this.initializer.initialize(opened);
					this.initialized = true;
				}
			}
			return opened;
		}
		catch (SQLException | RuntimeException ex) {
			opened.close();
			throw ex;
		}
	}

	private Connection connection() throws SQLException {
		Connection current = this.connection;
		if (current == null) {
			current = open();
			this.connection = current;
			this.bound = NetworkTimeout.of(current, this.timeout);
			current.setAutoCommit(false);
		}
		return current;
	}

	private void closeConnection() {
		Connection current = this.connection;
		this.connection = null;
		if (current != null) {
			try (current; NetworkTimeout unused = this.bound) {
				current.rollback();
			}
			catch (SQLException ex) {
				logger.log(Level.DEBUG, "A connection of the audit could not be closed", ex);
			}
		}
	}

	@Override
	public Optional<ChainHead> head() {
		try (Connection own = open(); NetworkTimeout unused = NetworkTimeout.of(own, this.timeout)) {
			return selectHead(own, "select head_sequence, head_hash from kairo_audit_chain where chain_name = ?")
				.or(() -> Optional.of(ChainHead.NONE));
		}
		catch (SQLException ex) {
			throw new AuditException("The audit cannot be read from the database: " + ex.getMessage(), ex);
		}
	}

	/**
	 * {@inheritDoc} The head that the database has is known in any case.
	 */
	@Override
	public Optional<ChainReport> verify(Optional<ChainHead> known) {
		Optional<ChainHead> anchor = known.or(this::head);
		ChainCheck check = new ChainCheck(this.chain, anchor);
		try (Connection own = open(); NetworkTimeout unused = NetworkTimeout.of(own, READ_TIMEOUT)) {
			own.setAutoCommit(false); // else PostgreSQL fetches all rows at once
			try (PreparedStatement select = own.prepareStatement("select sequence_number, previous_hash, record, hash,"
					+ " record_id, recorded_at, event, tenant, principal, session_id, adapter, tool, code"
					+ " from kairo_audit_record where chain_name = ? order by sequence_number")) {
				select.setFetchSize(FETCH_SIZE);
				select.setString(1, this.chainName);
				try (ResultSet result = select.executeQuery()) {
					while (result.next()) {
						add(check, result);
					}
				}
			}
			own.rollback();
			own.setAutoCommit(true);
		}
		catch (SQLException ex) {
			throw new AuditException("The audit cannot be read from the database: " + ex.getMessage(), ex);
		}
		return Optional.of(check.report(ChainHead.NONE));
	}

	@Override
	public Optional<List<AuditRecord>> recordsOf(String tenant, String session) {
		try (Connection own = open();
				NetworkTimeout unused = NetworkTimeout.of(own, READ_TIMEOUT);
				PreparedStatement select = own.prepareStatement("select record from kairo_audit_record"
						+ " where chain_name = ? and tenant = ? and session_id = ? order by sequence_number")) {
			select.setString(1, this.chainName);
			select.setString(2, column(tenant));
			select.setString(3, column(session));
			List<AuditRecord> records = new ArrayList<>();
			try (ResultSet result = select.executeQuery()) {
				while (result.next()) {
					records.add(AuditJson.read(result.getString(1)));
				}
			}
			return Optional.of(records);
		}
		catch (SQLException ex) {
			throw new AuditException("The audit cannot be read from the database: " + ex.getMessage(), ex);
		}
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
		try {
			AuditRecord record = AuditJson.read(line.record());
			boolean same = record.id().equals(row.getString(5))
					&& time(record).toInstant().equals(row.getObject(6, OffsetDateTime.class).toInstant());
			int column = 7;
			for (String value : columns(record)) {
				same &= Objects.equals(value, row.getString(column++));
			}
			if (!same) {
				check.changed(line, place + " has columns that differ from the record in it");
			}
		}
		catch (IllegalArgumentException ex) {
			check.changed(line, place + " has no readable record");
		}
	}

	@Override
	public synchronized void close() {
		closeConnection();
	}

}

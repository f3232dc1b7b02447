package io.kairo.governance.audit;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.kairo.governance.audit.ChainReport.Kind;
import io.kairo.governance.jdbc.JdbcAuditSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The contract of {@link JdbcAuditSink} with a database.
 */
abstract class JdbcAuditSinkContract extends AuditSinkContract {

	/**
	 * Returns an empty database, the same for all calls in a test.
	 */
	abstract DataSource database();

	static void createTables(DataSource database, String schema) throws Exception {
		try (InputStream script = JdbcAuditSink.class.getResourceAsStream(schema);
				Connection connection = database.getConnection();
				Statement statement = connection.createStatement()) {
			for (String sql : new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8)
				.split(";")) {
				if (!sql.isBlank()) {
					statement.execute(sql);
				}
			}
		}
	}

	@Override
	AuditSink open(HashChain chain) {
		return new JdbcAuditSink(database(), "test", chain, Duration.ofSeconds(10));
	}

	private int update(String sql, Object... values) throws SQLException {
		try (Connection connection = database().getConnection();
				PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int i = 0; i < values.length; i++) {
				statement.setObject(i + 1, values[i]);
			}
			return statement.executeUpdate();
		}
	}

	@Override
	void change(long sequence, String part, String replacement) throws Exception {
		assertThat(update(
				"update kairo_audit_record set record = replace(record, ?, ?), principal = ?"
						+ " where sequence_number = ? and principal = ?",
				part, replacement, replacement, sequence, part))
			.isEqualTo(1);
	}

	@Override
	void remove(long sequence) throws Exception {
		assertThat(update("delete from kairo_audit_record where sequence_number = ?", sequence)).isEqualTo(1);
	}

	@Override
	void forge(List<AuditRecord> records) throws Exception {
		update("delete from kairo_audit_record");
		update("delete from kairo_audit_chain");
		open(new HashChain()).append(records);
	}

	@Test
	void changedColumnIsNamed() throws Exception {
		try (AuditSink sink = open(chain())) {
			sink.append(AuditRecords.records(3));
			update("update kairo_audit_record set tenant = 'other' where sequence_number = 2");
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).singleElement().satisfies((finding) -> {
				assertThat(finding.kind()).isEqualTo(Kind.CHANGED);
				assertThat(finding.sequence()).isEqualTo(2);
				assertThat(finding.message()).contains("columns");
			});
		}
	}

	@Test
	void recordOfAnotherChainWithTheSameKeyIsNamed() throws Exception {
		try (AuditSink sink = open(chain())) {
			List<AuditRecord> records = AuditRecords.records(3);
			sink.append(records);
			String json = AuditJson.write(records.get(1));
			HashChain named = chain().named("jdbc", "test");
			ChainHead first = named.next(ChainHead.NONE, json);
			update("update kairo_audit_record set previous_hash = ?, hash = ? where sequence_number = 2", first.hash(),
					named.next(first, json).hash());
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings())
				.extracting(ChainReport.Finding::kind, ChainReport.Finding::sequence)
				.containsExactly(tuple(Kind.CHANGED, 1L), tuple(Kind.CHANGED, 2L));
		}
	}

	@Test
	void rowsOfAnotherChainWithTheSameKeyAreFound() throws Exception {
		try (AuditSink sink = open(chain());
				AuditSink other = new JdbcAuditSink(database(), "other", chain(), Duration.ofSeconds(10))) {
			sink.append(AuditRecords.records(2));
			other.append(AuditRecords.records(2));
			for (String table : List.of("kairo_audit_chain", "kairo_audit_record")) {
				update("delete from " + table + " where chain_name = 'test'");
				update("update " + table + " set chain_name = 'test' where chain_name = 'other'");
			}
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).hasSize(2)
				.allMatch((finding) -> finding.kind() == Kind.CHANGED);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "a\nb", "12345678901234567890123456789012345678901234567890123456789012345" })
	void invalidNameOfTheChainIsRefused(String name) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new JdbcAuditSink(database(), name, chain(), Duration.ofSeconds(10)))
			.withMessageContaining("1 to 64 characters");
	}

	@Test
	void recordsThatAreMissingAtTheEndAreNamed() throws Exception {
		try (AuditSink sink = open(chain())) {
			sink.append(AuditRecords.records(3));
			remove(3);
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).singleElement()
				.satisfies((finding) -> assertThat(finding.kind()).isEqualTo(Kind.MISSING));
		}
	}

	@Test
	void instancesContinueOneChain() throws Exception {
		try (AuditSink one = open(chain()); AuditSink two = open(chain())) {
			Thread other = new Thread(() -> {
				for (int i = 0; i < 30; i++) {
					two.append(AuditRecords.records(3));
				}
			});
			other.start();
			for (int i = 0; i < 30; i++) {
				one.append(AuditRecords.records(3));
			}
			other.join();
			ChainReport report = one.verify(Optional.empty()).orElseThrow();
			assertThat(report.findings()).isEmpty();
			assertThat(report.records()).isEqualTo(180);
		}
	}

	@Test
	void batchWhoseCommitWasInDoubtIsWrittenOnce() {
		AtomicInteger commits = new AtomicInteger();
		DataSource failing = new FailingCommits(database(), commits).dataSource();
		List<AuditRecord> records = AuditRecords.records(3);
		try (AuditSink sink = new JdbcAuditSink(failing, "test", chain(), Duration.ofSeconds(10))) {
			sink.append(AuditRecords.records(1));
			commits.set(1);
			sink.append(records);
			sink.append(AuditRecords.records(1));
			ChainReport report = sink.verify(Optional.empty()).orElseThrow();
			assertThat(report.findings()).isEmpty();
			assertThat(report.records()).isEqualTo(5);
		}
	}

	@Test
	void batchWhoseCommitWasInDoubtTwiceIsWrittenOnce() {
		AtomicInteger commits = new AtomicInteger();
		DataSource failing = new FailingCommits(database(), commits).dataSource();
		List<AuditRecord> records = AuditRecords.records(3);
		try (AuditSink sink = new JdbcAuditSink(failing, "test", chain(), Duration.ofSeconds(10))) {
			sink.append(AuditRecords.records(1));
			commits.set(2);
			assertThatExceptionOfType(AuditException.class).isThrownBy(() -> sink.append(records))
				.withMessageContaining("lost");
			sink.append(records);
			ChainReport report = sink.verify(Optional.empty()).orElseThrow();
			assertThat(report.findings()).isEmpty();
			assertThat(report.records()).isEqualTo(4);
		}
	}

	@Test
	void connectionThatTheDatabaseClosedIsReplaced() throws Exception {
		List<Connection> opened = new ArrayList<>();
		DataSource recording = new FailingCommits(database(), new AtomicInteger()).recording(opened::add);
		try (AuditSink sink = new JdbcAuditSink(recording, "test", chain(), Duration.ofSeconds(10))) {
			sink.append(AuditRecords.records(1));
			opened.get(0).close();
			sink.append(AuditRecords.records(1));
			assertThat(sink.verify(Optional.empty()).orElseThrow().records()).isEqualTo(2);
		}
	}

	@Test
	void sinkWithoutTablesSaysWhatIsMissing() throws Exception {
		update("drop table kairo_audit_record");
		update("drop table kairo_audit_chain");
		try (AuditSink sink = open(chain())) {
			assertThatExceptionOfType(AuditException.class).isThrownBy(() -> sink.append(AuditRecords.records(1)))
				.withMessageContainingAll("cannot be written to the database");
		}
	}

}

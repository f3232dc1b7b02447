package io.kairo.governance.audit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.kairo.governance.audit.ChainReport.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of sinks that keep a chain.
 */
abstract class AuditSinkContract {

	private AuditSink sink;

	/**
	 * Opens the same records again, if there are any.
	 */
	abstract AuditSink open(HashChain chain);

	/**
	 * Replaces a part of the content of a record, as an intruder would who can write.
	 */
	abstract void change(long sequence, String part, String replacement) throws Exception;

	abstract void remove(long sequence) throws Exception;

	/**
	 * Replaces all records by a chain with other records that fits together.
	 */
	abstract void forge(List<AuditRecord> records) throws Exception;

	HashChain chain() {
		return new HashChain();
	}

	@BeforeEach
	void open() {
		this.sink = open(chain());
	}

	@AfterEach
	void close() {
		this.sink.close();
	}

	private AuditSink sink() {
		return this.sink;
	}

	private ChainReport verify() {
		return sink().verify(Optional.empty()).orElseThrow();
	}

	private static List<Kind> kinds(ChainReport report) {
		return report.findings().stream().map(ChainReport.Finding::kind).toList();
	}

	@Test
	void sinkWithoutRecordsIsIntact() {
		assertThat(verify()).satisfies((report) -> {
			assertThat(report.intact()).isTrue();
			assertThat(report.records()).isZero();
		});
		assertThat(sink().head()).contains(ChainHead.NONE);
	}

	@Test
	void recordsAreOneChain() {
		sink().append(AuditRecords.records(3));
		sink().append(AuditRecords.records(2));
		ChainReport report = verify();
		assertThat(report.findings()).isEmpty();
		assertThat(report.records()).isEqualTo(5);
		assertThat(report.first()).isEqualTo(1);
		assertThat(report.head().sequence()).isEqualTo(5);
		assertThat(sink().head()).contains(report.head());
	}

	@Test
	void recordsOfASessionAreReadAsTheyWereWritten() {
		AuditRecord record = AuditRecords.record("Read");
		sink().append(List.of(AuditRecords.record("Read", "other"), record, AuditRecords.record("Write")));
		assertThat(sink().recordsOf("acme", record.caller().session()))
			.hasValueSatisfying((records) -> assertThat(records).hasSize(2).startsWith(record));
		assertThat(sink().recordsOf("acme", "another")).hasValue(List.of());
	}

	@Test
	void chainContinuesWhenTheSinkIsOpenedAgain() {
		sink().append(AuditRecords.records(3));
		this.sink.close();
		this.sink = open(chain());
		sink().append(AuditRecords.records(2));
		assertThat(verify().findings()).isEmpty();
		assertThat(verify().records()).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\u0000b", "line\nbreak", "\",\"hash\":\"", "\ud800", "\u2028\u0085", "''; drop table",
			"\uD83D\uDE00" })
	void anyNameCanBeRecorded(String name) {
		sink().append(List.of(AuditRecords.record(name), AuditRecords.record("Read", name)));
		assertThat(verify().findings()).isEmpty();
		assertThat(verify().records()).isEqualTo(2);
	}

	@Test
	void changedRecordIsNamed() throws Exception {
		sink().append(AuditRecords.records(5));
		change(3, "alice", "mallory");
		ChainReport report = verify();
		assertThat(report.findings()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo(Kind.CHANGED);
			assertThat(finding.sequence()).isEqualTo(3);
		});
	}

	@Test
	void missingRecordIsNamed() throws Exception {
		sink().append(AuditRecords.records(5));
		remove(2);
		remove(3);
		assertThat(verify().findings()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo(Kind.MISSING);
			assertThat(finding.message()).contains("2 to 3");
		});
	}

	@Test
	void recordsThatAreMissingAtTheBeginningAreNamed() throws Exception {
		sink().append(AuditRecords.records(5));
		Optional<ChainHead> head = sink().head();
		remove(1);
		remove(2);
		ChainReport report = sink().verify(head).orElseThrow();
		assertThat(report.findings()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo(Kind.MISSING);
			assertThat(finding.message()).isEqualTo("records 1 to 2 are missing at the beginning");
		});
	}

	@Test
	void recordsThatAreMissingAtTheEndAreNamedIfTheHeadIsKnown() throws Exception {
		sink().append(AuditRecords.records(5));
		Optional<ChainHead> head = sink().head();
		remove(5);
		remove(4);
		ChainReport report = sink().verify(head).orElseThrow();
		assertThat(kinds(report)).containsExactly(Kind.MISSING);
		assertThat(report.findings().get(0).message()).contains("4 to 5");
	}

	@Test
	void forgedChainIsFoundByTheHeadThatIsKnown() throws Exception {
		sink().append(AuditRecords.records(5));
		Optional<ChainHead> head = sink().head();
		sink().append(AuditRecords.records(1));
		forge(AuditRecords.records(6));
		assertThat(kinds(sink().verify(head).orElseThrow())).contains(Kind.CHANGED);
	}

	@Test
	void recordsOfManyThreadsAreExact() throws Exception {
		int threads = 64;
		int each = 50;
		try (AuditLog log = new AuditLog(List.of(sink()), AuditPolicy.BLOCK, Duration.ofSeconds(10), (record) -> {
		})) {
			ExecutorService pool = Executors.newFixedThreadPool(threads);
			for (int i = 0; i < threads; i++) {
				pool.execute(() -> AuditRecords.records(each).forEach(log::append));
			}
			pool.shutdown();
			assertThat(pool.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
			assertThat(log.states()).singleElement()
				.satisfies((state) -> assertThat(state.written()).isEqualTo(threads * each));
			ChainReport report = verify();
			assertThat(report.findings()).isEmpty();
			assertThat(report.records()).isEqualTo(threads * each);
		}
	}

}

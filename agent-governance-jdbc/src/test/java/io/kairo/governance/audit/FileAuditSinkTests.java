package io.kairo.governance.audit;

import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import com.sun.management.ThreadMXBean;
import io.kairo.governance.audit.ChainReport.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link FileAuditSink}.
 */
class FileAuditSinkTests extends AuditSinkContract {

	private static final long LONG_LINE = 16 << 20;

	@TempDir
	private Path directory;

	@Override
	AuditSink open(HashChain chain) {
		return new FileAuditSink(options(64L << 20, 0), chain);
	}

	private AuditFileOptions options(long maxFileBytes, int maxFiles) {
		return new AuditFileOptions(this.directory.resolve("audit"), "test", maxFileBytes, maxFiles, Duration.ZERO,
				true);
	}

	private List<Path> files() throws Exception {
		return new AuditFiles(this.directory.resolve("audit")).list();
	}

	private List<String> lines() throws Exception {
		return Files.readAllLines(files().get(0));
	}

	private void write(List<String> lines) throws Exception {
		Files.write(files().get(0), lines);
	}

	@Override
	void change(long sequence, String part, String replacement) throws Exception {
		List<String> lines = lines();
		int index = (int) sequence - 1;
		assertThat(lines.get(index)).contains(part);
		lines.set(index, lines.get(index).replace(part, replacement));
		write(lines);
	}

	@Override
	void remove(long sequence) throws Exception {
		List<String> lines = lines();
		assertThat(lines.removeIf((line) -> line.startsWith("{\"seq\":" + sequence + ","))).isTrue();
		write(lines);
	}

	@Override
	void forge(List<AuditRecord> records) throws Exception {
		List<String> lines = new ArrayList<>();
		HashChain chain = new HashChain().named("file", "test");
		ChainHead head = ChainHead.NONE;
		for (AuditRecord record : records) {
			String json = AuditJson.write(record);
			ChainHead next = chain.next(head, json);
			lines.add(new ChainLine(next.sequence(), head.hash(), json, next.hash()).text());
			head = next;
		}
		write(lines);
	}

	private HashChain named() {
		return chain().named("file", "test");
	}

	ChainReport report() throws Exception {
		return new AuditFiles(this.directory.resolve("audit")).verify(named(), Optional.empty());
	}

	private void fill(int records) {
		close();
		try (AuditSink sink = open(chain())) {
			sink.append(AuditRecords.records(records));
		}
	}

	@Test
	void reorderedRecordIsNamed() throws Exception {
		fill(5);
		List<String> lines = lines();
		Collections.swap(lines, 1, 2);
		write(lines);
		assertThat(report().findings()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo(Kind.REORDERED);
			assertThat(finding.sequence()).isEqualTo(2);
		});
	}

	@Test
	void recordThatIsMissingAtTheEndIsNamedWhileTheSinkIsOpen() throws Exception {
		close();
		try (AuditSink sink = open(chain())) {
			sink.append(AuditRecords.records(3));
			remove(3);
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).singleElement()
				.satisfies((finding) -> assertThat(finding.kind()).isEqualTo(Kind.MISSING));
		}
	}

	@Test
	void recordOfAnotherChainWithTheSameKeyIsNamed() throws Exception {
		fill(3);
		String json = AuditJson.write(AuditRecords.records(2).get(1));
		ChainHead first = named().next(ChainHead.NONE, json);
		List<String> lines = lines();
		lines.set(1, new ChainLine(2, first.hash(), json, named().next(first, json).hash()).text());
		write(lines);
		assertThat(report().findings()).extracting(ChainReport.Finding::kind, ChainReport.Finding::sequence)
			.containsExactly(tuple(Kind.CHANGED, 1L), tuple(Kind.CHANGED, 2L));
	}

	@Test
	void repeatedRecordIsNamed() throws Exception {
		fill(3);
		List<String> lines = lines();
		lines.add(lines.get(1));
		write(lines);
		assertThat(report().findings()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo(Kind.REPEATED);
			assertThat(finding.sequence()).isEqualTo(2);
		});
	}

	@Test
	void textThatIsNoRecordIsNamed() throws Exception {
		fill(2);
		List<String> lines = lines();
		lines.add(1, "{\"seq\":2}");
		write(lines);
		assertThat(report().findings()).singleElement()
			.satisfies((finding) -> assertThat(finding.kind()).isEqualTo(Kind.UNREADABLE));
	}

	@Test
	void lineThatIsLongerThanARecordIsNamedAndNotKeptInMemory() throws Exception {
		fill(2);
		Path file = files().get(0);
		List<String> lines = lines();
		try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
			sparse.setLength(LONG_LINE);
			sparse.seek(LONG_LINE);
			sparse.writeBytes("\n" + lines.get(1) + "\n");
		}
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		assertThat(report().findings()).extracting(ChainReport.Finding::kind)
			.containsExactly(Kind.UNREADABLE, Kind.REPEATED);
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(LONG_LINE / 2);
		try (AuditSink sink = open(chain())) {
			assertThat(sink.recordsOf("acme", "none")).hasValue(List.of());
		}
		try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
			sparse.setLength(LONG_LINE);
			sparse.seek(LONG_LINE);
			sparse.writeBytes("\n");
		}
		assertThatExceptionOfType(AuditException.class).isThrownBy(() -> open(chain()))
			.withMessageContaining("was changed");
	}

	@Test
	void recordThatCannotBeShortenedIsVerified() {
		close();
		try (AuditSink sink = open(chain())) {
			sink.append(List.of(AuditRecords.record("x".repeat(3 * AuditRecord.MAX_CHARACTERS))));
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).isEmpty();
		}
	}

	@Test
	void chainContinuesAfterLongRecordsAndLongUnfinishedLines() throws Exception {
		close();
		AuditRecord large = AuditRecords.record("x".repeat(AuditRecord.MAX_CHARACTERS));
		for (int i = 0; i < 3; i++) {
			try (AuditSink sink = open(chain())) {
				assertThat(sink.head().map(ChainHead::sequence).orElse(0L)).isEqualTo(i);
				sink.append(List.of(large));
			}
			Files.writeString(files().get(0), lines().get(0).substring(0, 20_000), StandardOpenOption.APPEND);
		}
		try (AuditSink sink = open(chain())) {
			assertThat(sink.verify(Optional.empty()).orElseThrow().records()).isEqualTo(3);
		}
	}

	@Test
	void everyChangedByteIsFound() throws Exception {
		fill(2);
		Path file = files().get(0);
		byte[] content = Files.readAllBytes(file);
		for (int i = 0; i < content.length - 1; i++) {
			byte[] changed = content.clone();
			changed[i] ^= 1;
			Files.write(file, changed);
			assertThat(report().intact()).as("byte %d", i).isFalse();
		}
	}

	@Test
	void fileThatIsCutAnywhereKeepsItsWholeRecords() throws Exception {
		fill(3);
		Path file = files().get(0);
		byte[] content = Files.readAllBytes(file);
		for (int length = 0; length <= content.length; length += 7) {
			Files.write(file, Arrays.copyOf(content, length));
			long whole = new String(content, 0, length, StandardCharsets.US_ASCII).chars()
				.filter((character) -> character == '\n')
				.count();
			assertThat(report().intact()).isTrue();
			try (AuditSink sink = open(chain())) {
				assertThat(sink.head().orElseThrow().sequence()).isEqualTo(whole);
				sink.append(AuditRecords.records(1));
			}
			assertThat(report().findings()).isEmpty();
			assertThat(report().records()).isEqualTo(whole + 1);
		}
	}

	@Test
	void chainContinuesInFurtherFiles() throws Exception {
		close();
		try (AuditSink sink = new FileAuditSink(options(500, 0), chain())) {
			for (int i = 0; i < 5; i++) {
				sink.append(AuditRecords.records(1));
			}
			assertThat(files()).hasSizeGreaterThan(2);
			assertThat(sink.verify(Optional.empty()).orElseThrow().records()).isEqualTo(5);
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).isEmpty();
		}
		Files.delete(files().get(1));
		assertThat(report().findings()).singleElement()
			.satisfies((finding) -> assertThat(finding.kind()).isEqualTo(Kind.MISSING));
	}

	@Test
	void oldestFilesAreRemoved() throws Exception {
		close();
		try (AuditSink sink = new FileAuditSink(options(1, 2), chain())) {
			for (int i = 0; i < 5; i++) {
				sink.append(AuditRecords.records(1));
			}
			ChainReport report = sink.verify(Optional.empty()).orElseThrow();
			assertThat(files()).hasSize(2);
			assertThat(report.findings()).isEmpty();
			assertThat(report.first()).isEqualTo(4);
			assertThat(report.head().sequence()).isEqualTo(5);
		}
	}

	@Test
	void filesOfAnotherChainWithTheSameKeyAreFound() throws Exception {
		close();
		Path audit = this.directory.resolve("audit");
		for (int maxFiles : List.of(0, 2)) {
			Path others = this.directory.resolve("others" + maxFiles);
			rotate(new AuditFileOptions(others, "other", 1, maxFiles, Duration.ZERO, true), 4);
			Files.move(audit, this.directory.resolve("own" + maxFiles));
			Files.move(others, audit);
			assertThat(report().findings()).hasSizeGreaterThanOrEqualTo(2)
				.allMatch((finding) -> finding.kind() != Kind.UNREADABLE);
			assertThatExceptionOfType(AuditException.class).isThrownBy(() -> open(chain()))
				.withMessageContaining("name of its chain");
		}
	}

	@Test
	void filesThatAreMovedElsewhereAreTheSameChain() throws Exception {
		rotate(options(1, 2), 4);
		Path moved = Files.move(this.directory.resolve("audit"), this.directory.resolve("moved"));
		try (AuditSink sink = new FileAuditSink(new AuditFileOptions(moved, "test", 1, 2, Duration.ZERO, true),
				chain())) {
			sink.append(AuditRecords.records(1));
			assertThat(sink.verify(Optional.empty()).orElseThrow().findings()).isEmpty();
			assertThat(sink.head().orElseThrow().sequence()).isEqualTo(5);
		}
	}

	private void rotate(AuditFileOptions options, int records) {
		close();
		try (AuditSink sink = new FileAuditSink(options, chain())) {
			for (int i = 0; i < records; i++) {
				sink.append(AuditRecords.records(1));
			}
		}
	}

	@Test
	void beginningThatIsRemovedAfterARotationIsNamed() throws Exception {
		rotate(options(1, 3), 6);
		assertThat(report().findings()).isEmpty();
		Files.delete(files().get(0));
		assertThat(report().findings()).singleElement().satisfies((finding) -> {
			assertThat(finding.kind()).isEqualTo(Kind.MISSING);
			assertThat(finding.message()).isEqualTo("record 4 is missing at the beginning");
		});
	}

	@Test
	void anchorThatIsRemovedOrChangedIsNoticed() throws Exception {
		rotate(options(1, 3), 6);
		Path anchor = this.directory.resolve("audit/anchor");
		String content = Files.readString(anchor);
		for (String changed : List.of("", content.replace("\"seq\":3", "\"seq\":4"),
				content.replace("\"hash\":\"", "\"x\":\""))) {
			Files.writeString(anchor, changed);
			assertThat(report().findings()).as(changed).singleElement().satisfies((finding) -> {
				assertThat(finding.kind()).isEqualTo(Kind.MISSING);
				assertThat(finding.message()).contains("records 1 to 3 are missing");
			});
		}
		Files.delete(anchor);
		assertThat(report().intact()).isFalse();
	}

	@Test
	void chainContinuesAfterItsAnchor() throws Exception {
		rotate(options(1, 1), 3);
		Files.write(files().get(0), new byte[0]);
		fill(1);
		assertThat(report().findings()).isEmpty();
		assertThat(report().first()).isEqualTo(3);
	}

	@Test
	void youngFilesAreKept() throws Exception {
		AuditFileOptions options = new AuditFileOptions(this.directory.resolve("audit"), "test", 1, 2,
				Duration.ofHours(1), true);
		rotate(options, 5);
		assertThat(files()).hasSize(5);
		for (Path file : files().subList(0, 2)) {
			Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
		}
		rotate(options, 1);
		assertThat(files()).hasSize(4);
		assertThat(report().findings()).isEmpty();
		assertThat(report().first()).isEqualTo(3);
	}

	@Test
	void fileWithAChangedLastRecordIsKept() throws Exception {
		rotate(options(1, 2), 2);
		change(1, "alice", "mallory");
		rotate(options(1, 2), 3);
		assertThat(files()).hasSize(5);
		assertThat(report().findings()).singleElement()
			.satisfies((finding) -> assertThat(finding.kind()).isEqualTo(Kind.CHANGED));
	}

	@Test
	void fileThatWasMadeEmptyIsKeptAndFurtherRecordsAreWritten() throws Exception {
		rotate(options(1, 2), 2);
		write(List.of());
		rotate(options(1, 2), 3);
		assertThat(files()).hasSize(5);
		assertThat(report().intact()).isFalse();
	}

	@Test
	void directoryIsUsedByOneProcess() {
		assertThatExceptionOfType(AuditException.class).isThrownBy(() -> open(chain()))
			.withMessageContaining("another process");
	}

	@Test
	void filesAreForTheOwnerOnly() throws Exception {
		fill(1);
		assertThat(Files.getPosixFilePermissions(files().get(0)))
			.containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
		assertThat(Files.getPosixFilePermissions(this.directory.resolve("audit"))).doesNotContain(
				PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE);
	}

	@Test
	void changedLastRecordStopsTheStart() throws Exception {
		fill(2);
		change(2, "alice", "mallory");
		assertThatExceptionOfType(AuditException.class).isThrownBy(() -> open(chain()))
			.withMessageContaining("was changed")
			.withMessageContaining("move the files");
		// the directory is not locked any more
		change(2, "mallory", "alice");
		open(chain()).close();
	}

	@Test
	void chainWithAnotherKeyStopsTheStart() throws Exception {
		fill(2);
		byte[] other = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
		assertThatExceptionOfType(AuditException.class).isThrownBy(() -> open(new HashChain(other)))
			.withMessageContaining("another key");
	}

}

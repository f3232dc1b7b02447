package io.kairo.governance.audit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.host.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AuditVerifier}.
 */
class AuditVerifierTests {

	@TempDir
	private Path directory;

	private final ByteArrayOutputStream output = new ByteArrayOutputStream();

	private int run(String... arguments) {
		return AuditVerifier.run(List.of(arguments), new PrintStream(this.output, true, StandardCharsets.UTF_8));
	}

	private String output() {
		return this.output.toString(StandardCharsets.UTF_8);
	}

	private String head(HashChain chain) {
		try (AuditSink sink = new FileAuditSink(AuditFileOptions.in(this.directory), chain)) {
			sink.append(AuditRecords.records(3));
			return sink.head().orElseThrow().toString();
		}
	}

	@Test
	void intactChain() {
		String head = head(new HashChain());
		assertThat(run(this.directory.toString())).isZero();
		assertThat(run("--head", head, this.directory.toString())).isZero();
		assertThat(output()).contains("Intact: 3 records from 1 to " + head);
	}

	@Test
	void missingEnd() throws Exception {
		String head = head(new HashChain());
		Path file = new AuditFiles(this.directory).list().get(0);
		Files.write(file, Files.readAllLines(file).subList(0, 2));
		assertThat(run(this.directory.toString())).isZero();
		assertThat(run("--head", head, this.directory.toString())).isEqualTo(1);
		assertThat(output()).contains("MISSING 3: record 3 is missing at the end", "Not intact");
	}

	@Test
	void key() throws Exception {
		Path key = Files.writeString(this.directory.resolve("key"), "0123456789abcdef\n");
		head(new HashChain("0123456789abcdef".getBytes(StandardCharsets.UTF_8)));
		assertThat(run("--key-file", key.toString(), this.directory.toString())).isZero();
		assertThat(run(this.directory.toString())).isEqualTo(1);
	}

	@Test
	void missingKeyIsNamedInsteadOfEveryRecord() throws Exception {
		head(new HashChain("0123456789abcdef".getBytes(StandardCharsets.UTF_8)));
		assertThat(run(this.directory.toString())).isEqualTo(1);
		assertThat(output()).contains("the key is missing, give kairo.audit.key with --key-file FILE")
			.doesNotContain("CHANGED");
	}

	@Test
	void otherKeyIsNamedInsteadOfEveryRecord() throws Exception {
		Path key = Files.writeString(this.directory.resolve("key"), "fedcba9876543210");
		head(new HashChain("0123456789abcdef".getBytes(StandardCharsets.UTF_8)));
		assertThat(run("--key-file", key.toString(), this.directory.toString())).isEqualTo(1);
		assertThat(output()).contains("the key of --key-file is not that of the chain, kairo.audit.key")
			.doesNotContain("CHANGED");
	}

	@Test
	void otherNameOfTheChainIsNamedInsteadOfEveryRecord() {
		AuditFileOptions options = new AuditFileOptions(this.directory, "billing", 1, 0, Duration.ZERO, true);
		try (AuditSink sink = new FileAuditSink(options, new HashChain())) {
			sink.append(AuditRecords.records(3));
		}
		assertThat(run("--chain", "billing", this.directory.toString())).isZero();
		assertThat(run(this.directory.toString())).isEqualTo(1);
		assertThat(output()).contains("the chain does not have the name 'kairo', give kairo.audit.file.chain")
			.doesNotContain("CHANGED");
		assertThat(run("--chain", "", this.directory.toString())).isEqualTo(2);
	}

	@Test
	void missingKeyDoesNotHideAMissingRecord() throws Exception {
		head(new HashChain("0123456789abcdef".getBytes(StandardCharsets.UTF_8)));
		Path file = new AuditFiles(this.directory).list().get(0);
		List<String> lines = Files.readAllLines(file);
		Files.write(file, List.of(lines.get(0), lines.get(2)));
		assertThat(run(this.directory.toString())).isEqualTo(1);
		assertThat(output()).contains("the key is missing", "MISSING 2: ");
	}

	@Test
	void badArguments() {
		assertThat(run()).isEqualTo(2);
		assertThat(output()).contains("Usage");
		assertThat(run("--head", "x", this.directory.toString())).isEqualTo(2);
		assertThat(run("--what", "x", this.directory.toString())).isEqualTo(2);
		assertThat(run(this.directory.resolve("missing").toString())).isEqualTo(2);
		assertThat(output()).contains("The head 'x' is invalid", "'--what' is unknown", "NotDirectoryException");
	}

	@Test
	void commandNeedsNoFurtherLibrary() throws Exception {
		head(new HashChain());
		Path own = location(AuditVerifier.class);
		Path host = location(Sha256.class);
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				own + ":" + host, AuditVerifier.class.getName(), this.directory.toString())
			.redirectErrorStream(true)
			.start();
		String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(text).isZero();
		assertThat(text).contains("Intact: 3 records");
	}

	private static Path location(Class<?> type) throws Exception {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
	}

}

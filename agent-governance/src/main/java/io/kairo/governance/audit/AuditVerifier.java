package io.kairo.governance.audit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import io.kairo.governance.audit.ChainReport.Finding;

/**
 * Verifies the files of a {@link FileAuditSink}, also while they are written to. Needs no
 * library besides this one and {@code kairo-host-support}. The exit code is 0 if the
 * chain is intact, 1 if a record was changed, is missing or at another place, or if the
 * key is missing, and 2 if it could not be verified.
 */
public final class AuditVerifier {

	private static final String USAGE = """
			Usage: java io.kairo.governance.audit.AuditVerifier [--head NUMBER:HASH] [--key-file FILE] [--chain NAME] \
			         DIRECTORY
			  --head      a record that is known to exist, as the endpoint kairoaudit shows it
			  --key-file  the file with the key of the hashes, in UTF-8
			  --chain     the name of the chain, kairo.audit.file.chain; otherwise kairo""";

	private AuditVerifier() {
	}

	/**
	 * Verifies the files of a directory.
	 * @param args the options and the directory
	 */
	public static void main(String[] args) {
		System.exit(run(List.of(args), System.out));
	}

	static int run(List<String> args, PrintStream out) {
		Deque<String> rest = new ArrayDeque<>(args);
		Optional<ChainHead> known = Optional.empty();
		HashChain chain = new HashChain();
		String name = AuditFileOptions.DEFAULT_CHAIN;
		try {
			while (rest.size() > 1) {
				String option = rest.remove();
				switch (option) {
					case "--head" -> known = Optional.of(ChainHead.parse(rest.remove()));
					case "--key-file" -> chain = new HashChain(
							Files.readString(Path.of(rest.remove())).strip().getBytes(StandardCharsets.UTF_8));
					case "--chain" -> name = rest.remove();
					default -> throw new IllegalArgumentException("The option '" + option + "' is unknown");
				}
			}
			if (rest.size() != 1 || rest.element().startsWith("-")) {
				out.println(USAGE);
				return 2;
			}
			ChainReport report = new AuditFiles(Path.of(rest.remove())).verify(chain.named(FileAuditSink.NAME, name),
					known);
			print(report, chain.hasKey(), name, out);
			return report.intact() ? 0 : 1;
		}
		catch (IOException | IllegalArgumentException ex) {
			out.println("The audit cannot be verified: " + ex);
			return 2;
		}
	}

	/**
	 * Prints the report. With a key or name other than the chain's, no record has the
	 * hash of its content, so that both are named instead of every record.
	 */
	private static void print(ChainReport report, boolean key, String name, PrintStream out) {
		Predicate<Finding> otherHash = (finding) -> finding.message().endsWith(ChainCheck.OTHER_HASH);
		boolean otherKey = report.records() > 0
				&& report.findings().stream().filter(otherHash).count() + report.moreFindings() >= report.records();
		report.findings()
			.stream()
			.filter((finding) -> !otherKey || !otherHash.test(finding))
			.forEach((finding) -> out.println(finding.kind() + " " + finding.sequence() + ": " + finding.message()));
		if (otherKey) {
			out.println("No record has the hash of its content: "
					+ (key ? "the key of --key-file is not that of the chain, kairo.audit.key"
							: "the key is missing, give kairo.audit.key with --key-file FILE")
					+ ", the chain does not have the name '" + name
					+ "', give kairo.audit.file.chain with --chain NAME, or every record was changed");
		}
		else if (report.moreFindings() > 0) {
			out.println(report.moreFindings() + " more problems");
		}
		out.println((report.intact() ? "Intact: " : "Not intact: ") + report.records() + " records from "
				+ report.first() + " to " + report.head());
	}

}

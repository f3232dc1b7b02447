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

/**
 * Verifies the files of a {@link FileAuditSink}, also while they are written to. Needs no
 * library besides this one and {@code kairo-host-support}. The exit code is 0 if the
 * chain is intact, 1 if a record was changed, is missing or at another place, and 2 if it
 * could not be verified.
 *
 * @since 0.1.0
 */
public final class AuditVerifier {

	private static final String USAGE = """
			Usage: java io.kairo.governance.audit.AuditVerifier [--head NUMBER:HASH] [--key-file FILE] DIRECTORY
			  --head      a record that is known to exist, as the endpoint kairoaudit shows it
			  --key-file  the file with the key of the hashes, in UTF-8""";

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
		try {
			while (rest.size() > 1) {
				String option = rest.remove();
				switch (option) {
					case "--head" -> known = Optional.of(ChainHead.parse(rest.remove()));
					case "--key-file" -> chain = new HashChain(
							Files.readString(Path.of(rest.remove())).strip().getBytes(StandardCharsets.UTF_8));
					default -> throw new IllegalArgumentException("The option '" + option + "' is unknown");
				}
			}
			if (rest.size() != 1 || rest.element().startsWith("-")) {
				out.println(USAGE);
				return 2;
			}
			ChainReport report = new AuditFiles(Path.of(rest.remove())).verify(chain, known);
			print(report, out);
			return report.intact() ? 0 : 1;
		}
		catch (IOException | IllegalArgumentException ex) {
			out.println("The audit cannot be verified: " + ex);
			return 2;
		}
	}

	private static void print(ChainReport report, PrintStream out) {
		report.findings()
			.forEach((finding) -> out.println(finding.kind() + " " + finding.sequence() + ": " + finding.message()));
		if (report.moreFindings() > 0) {
			out.println(report.moreFindings() + " more problems");
		}
		out.println((report.intact() ? "Intact: " : "Not intact: ") + report.records() + " records from "
				+ report.first() + " to " + report.head());
	}

}

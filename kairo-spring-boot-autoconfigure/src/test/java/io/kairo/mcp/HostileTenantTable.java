package io.kairo.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.kairo.mcp.AttackedServer.Figures;
import io.kairo.mcp.QuietTenant.Calls;

/**
 * The table of attacks in {@code docs/security.md}.
 *
 * @param rows the figures of each attack
 */
record HostileTenantTable(Map<HostileAttack, Row> rows) {

	static final Path PAGE = Path.of("..", "docs", "security.md");

	private static final String HEAD = """
			| attack | heap, MB | threads | descriptors | connections | `Read`, median | `Read`, 99 % | `Bash`, median |
			|---|---|---|---|---|---|---|---|
			""";

	/**
	 * Writes the rows into the page, in place of those that it has.
	 */
	void write() throws IOException {
		String page = Files.readString(PAGE);
		int start = page.indexOf(HEAD);
		int end = page.indexOf("\n\n", start) + 1;
		Files.writeString(PAGE, page.substring(0, start) + this + page.substring(end));
	}

	@Override
	public String toString() {
		return HEAD + this.rows.entrySet()
			.stream()
			.map((row) -> row.getValue().of(row.getKey()))
			.collect(Collectors.joining());
	}

	/**
	 * The figures of an attack.
	 *
	 * @param before the resources of the server before the attack
	 * @param during those during the attack
	 * @param after those after the attack
	 * @param undisturbed the calls of the other tenant before the attack
	 * @param disturbed those during the attack
	 */
	record Row(Figures before, Figures during, Figures after, Calls undisturbed, Calls disturbed) {

		String of(HostileAttack attack) {
			return "| %s | %d / %d / %d | %d / %d / %d | %d / %d / %d | %d / %d / %d | %s | %s | %s |\n".formatted(
					attack.title(), megabytes(this.before), megabytes(this.during), megabytes(this.after),
					this.before.threads(), this.during.threads(), this.after.threads(), this.before.descriptors(),
					this.during.descriptors(), this.after.descriptors(), this.before.connections(),
					this.during.connections(), this.after.connections(),
					latency(this.undisturbed.read(0.5), this.disturbed.read(0.5)),
					latency(this.undisturbed.read(0.99), this.disturbed.read(0.99)),
					latency(this.undisturbed.command(0.5), this.disturbed.command(0.5)));
		}

		private static long megabytes(Figures figures) {
			return figures.heap() >> 20;
		}

		private static String latency(double before, double during) {
			return String.format(Locale.ROOT, "%.1f → %.1f ms, %.2fx", before, during, during / before);
		}

	}

}

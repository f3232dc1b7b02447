package io.kairo.api.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The column with the outcomes of one backend in a page for several backends. The
 * Markdown page has, below a heading of the second level, a table with a row for each
 * attack and a column for each backend; the reasons of each backend are below a heading
 * of the third level. With the system property {@code kairo.docs.write=true} the test
 * writes its column and keeps the others. Immutable.
 *
 * @param page the existing file with the headings
 * @param section the text of the heading of the table
 * @param backend the head of the column, and the text of the heading of the reasons
 */
public record AttackColumn(Path page, String section, String backend) {

	private static final String WRITE = "kairo.docs.write";

	/**
	 * Asserts that the page agrees with the declarations.
	 */
	<S extends AttackScene> void assertSays(List<Attack<S>> attacks, Map<String, Declared> declared)
			throws IOException {
		String before = Files.readString(this.page);
		AttackTable table = AttackTable.in(before, this.section);
		table.setColumn(this.backend, attacks, (attack) -> cell(attack, declared));
		String reasons = "\n" + summary(attacks, declared) + reasons(attacks, declared) + "\n";
		String expected = PageSection.replace(table.replacedIn(before), "### " + this.backend, reasons);
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(this.page, expected);
		}
		assertThat(this.page).as("stale, run the test with -D" + WRITE + "=true").hasContent(expected);
	}

	private static String cell(Attack<?> attack, Map<String, Declared> declared) {
		Declared other = declared.get(attack.id());
		if (other == null) {
			return attack.held().title();
		}
		return (other.how() == Declared.How.DEPENDS) ? attack.held().title() + ", or not held" : other.how().title();
	}

	private static String summary(List<? extends Attack<?>> attacks, Map<String, Declared> declared) {
		return "%d of %d attacks are held, %d depend on the machine, %d are not held (%d of them not run), %d cannot be tried.%n"
			.formatted(attacks.size() - declared.size(), attacks.size(), count(declared, Declared.How.DEPENDS),
					count(declared, Declared.How.NOT_HELD) + count(declared, Declared.How.NOT_RUN),
					count(declared, Declared.How.NOT_RUN), count(declared, Declared.How.ABSENT));
	}

	private static long count(Map<String, Declared> declared, Declared.How how) {
		return declared.values().stream().filter((one) -> one.how() == how).count();
	}

	private static String reasons(List<? extends Attack<?>> attacks, Map<String, Declared> declared) {
		StringBuilder reasons = new StringBuilder("\n");
		for (Attack<?> attack : attacks) {
			Declared other = declared.get(attack.id());
			if (other != null) {
				reasons.append("- `%s`: %s%n".formatted(attack.id(), other.reason()));
			}
		}
		return declared.isEmpty() ? "" : reasons.toString();
	}

}

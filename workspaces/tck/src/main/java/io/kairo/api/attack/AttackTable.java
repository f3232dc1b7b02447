package io.kairo.api.attack;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A table with a row for each attack and a column for each backend.
 */
final class AttackTable {

	private static final int OWN_COLUMNS = 3;

	private final String section;

	private final List<String> backends = new ArrayList<>();

	/** The cells of the backends by the id of the attack and the name of the backend. */
	private final Map<String, Map<String, String>> cells = new LinkedHashMap<>();

	private final List<String> rows = new ArrayList<>();

	private AttackTable(String section) {
		this.section = section;
	}

	static AttackTable in(String page, String section) {
		AttackTable table = new AttackTable(section);
		List<String> lines = PageSection.of(page, table.heading())
			.in(page)
			.lines()
			.filter((line) -> line.startsWith("|"))
			.toList();
		if (!lines.isEmpty()) {
			table.backends.addAll(cells(lines.get(0)).subList(OWN_COLUMNS, cells(lines.get(0)).size()));
			lines.stream().skip(2).forEach(table::read);
		}
		return table;
	}

	private String heading() {
		return "## " + this.section;
	}

	private void read(String line) {
		List<String> cells = cells(line);
		Map<String, String> row = new LinkedHashMap<>();
		for (int i = 0; i < this.backends.size(); i++) {
			row.put(this.backends.get(i), cells.get(OWN_COLUMNS + i));
		}
		this.cells.put(cells.get(1), row);
	}

	private static List<String> cells(String line) {
		List<String> cells = new ArrayList<>();
		for (String cell : line.substring(1, line.length() - 1).split("(?<!\\\\)\\|", -1)) {
			cells.add(cell.strip());
		}
		return cells;
	}

	<S extends AttackScene> void setColumn(String backend, List<Attack<S>> attacks,
			Function<Attack<S>, String> outcome) {
		if (!this.backends.contains(backend)) {
			this.backends.add(backend);
		}
		for (Attack<S> attack : attacks) {
			String id = "`" + attack.id() + "`";
			Map<String, String> row = this.cells.computeIfAbsent(id, (unknown) -> new LinkedHashMap<>());
			row.put(backend, outcome.apply(attack));
			StringBuilder line = new StringBuilder(
					"| %s | %s | %s |".formatted(attack.group().title(), id, attack.description().replace("|", "\\|")));
			this.backends.forEach((name) -> line.append(" %s |".formatted(row.getOrDefault(name, "?"))));
			this.rows.add(line.toString());
		}
	}

	String replacedIn(String page) {
		String head = "| group | id | what it tries | " + String.join(" | ", this.backends) + " |";
		String rule = "|---|---|---|" + "---|".repeat(this.backends.size());
		String text = "\n" + head + "\n" + rule + "\n" + String.join("\n", this.rows) + "\n\n";
		return PageSection.replace(page, heading(), text);
	}

}

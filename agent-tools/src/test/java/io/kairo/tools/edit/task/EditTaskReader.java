package io.kairo.tools.edit.task;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.kairo.tools.edit.task.EditTask.Dialect;
import io.kairo.tools.edit.task.EditTask.Replacement;
import io.kairo.tools.edit.task.EditTask.Tree;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the tasks in {@code edit-tasks}. A change begins with {@code ####} and
 * its name; the next line has its difficulty, the language, and optionally the charset
 * and {@code crlf} or {@code bom}. Then come its sections:
 * <ul>
 * <li>{@code before}, {@code now} and {@code after} with a path: the file as it was read,
 * as it is at the time of the call if it has changed since, and as it must be afterwards;
 * {@code gone} for a file that must not be there
 * <li>{@code exact}, {@code multi}, {@code envelope}, {@code diff}: a call. The first two
 * consist of {@code old}, with a path and optionally {@code all}, and {@code new}
 * <li>{@code refused}: the call before it must be refused, with this text
 * </ul>
 * In all texts, {@code →} is a tab, {@code ␠} a space, {@code ␍} a carriage return, and
 * {@code ∅} takes the line end away.
 */
final class EditTaskReader {

	private static final List<String> PAGES = List.of("1-languages", "2-bytes", "3-tolerance", "4-places", "5-files",
			"6-corners");

	private final List<EditTask> tasks = new ArrayList<>();

	private String name = "";

	private String[] attributes = {};

	private Map<String, String> read = new TreeMap<>();

	private Map<String, String> changed = new TreeMap<>();

	private @Nullable Map<String, String> after;

	private @Nullable Dialect dialect;

	private List<Replacement> replacements = new ArrayList<>();

	private String patch = "";

	private @Nullable String refusal;

	private String[] old = {};

	static List<EditTask> read() throws IOException {
		EditTaskReader reader = new EditTaskReader();
		for (String page : PAGES) {
			try (InputStream in = EditTaskReader.class.getResourceAsStream("/edit-tasks/" + page + ".txt")) {
				reader.read(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"));
			}
		}
		return reader.tasks;
	}

	private void read(String[] lines) {
		for (int i = 0; i < lines.length;) {
			String line = lines[i++];
			if (line.startsWith("#### ")) {
				this.name = line.substring(5);
				this.attributes = lines[i++].split(" \\| ");
				this.read = new TreeMap<>();
				this.changed = new TreeMap<>();
				this.after = null;
				continue;
			}
			int from = i;
			while (i < lines.length && !lines[i].startsWith("%% ") && !lines[i].startsWith("#### ")) {
				i++;
			}
			boolean last = i == lines.length || lines[i].startsWith("#### ");
			int to = (last && i < lines.length) ? i - 1 : i;
			String text = String.join("\n", List.of(lines).subList(from, to))
				.replace('→', '\t')
				.replace('␠', ' ')
				.replace('␍', '\r');
			section(line.substring(3).split(" ", 2), text);
			if (last || Set.of("exact", "multi", "envelope", "diff").contains(lines[i].substring(3))) {
				finish();
			}
		}
	}

	private void section(String[] words, String text) {
		switch (words[0]) {
			case "before" -> this.read.put(words[1], file(text));
			case "now" -> this.changed.put(words[1], file(text));
			case "after" -> expected().put(words[1], file(text));
			case "gone" -> expected().remove(words[1]);
			case "exact" -> this.dialect = Dialect.EXACT;
			case "multi" -> this.dialect = Dialect.MULTI;
			case "envelope", "diff" -> {
				this.dialect = words[0].equals("diff") ? Dialect.DIFF : Dialect.ENVELOPE;
				this.patch = ended(text);
			}
			case "old" -> this.old = new String[] { words[1], text.equals("∅") ? "" : text };
			case "new" -> {
				boolean all = this.old[0].endsWith(" all");
				String path = all ? this.old[0].substring(0, this.old[0].length() - 4) : this.old[0];
				this.replacements.add(new Replacement(path, this.old[1], text.equals("∅") ? "" : text, all));
			}
			case "refused" -> this.refusal = words[1];
			default -> throw new IllegalStateException("'" + words[0] + "' in '" + this.name + "' is no section");
		}
	}

	private Map<String, String> expected() {
		if (this.after == null) {
			this.after = new TreeMap<>(this.read);
			this.after.putAll(this.changed);
		}
		return this.after;
	}

	private void finish() {
		if (this.dialect == null) {
			return;
		}
		if (this.refusal == null && this.after == null) {
			throw new IllegalStateException("'" + this.name + "' has no outcome");
		}
		Map<String, String> before = new TreeMap<>(this.read);
		before.putAll(this.changed);
		this.tasks.add(new EditTask(this.name, this.dialect, this.attributes[0], this.attributes[1], charset(),
				new Tree(this.read), new Tree(before), (this.after != null) ? new Tree(this.after) : null,
				this.replacements, this.patch, this.refusal));
		this.dialect = null;
		this.replacements = new ArrayList<>();
		this.patch = "";
		this.refusal = null;
	}

	private Charset charset() {
		return Charset.forName((this.attributes.length > 2) ? this.attributes[2] : "UTF-8");
	}

	private static String ended(String text) {
		return text.endsWith("∅") ? text.substring(0, text.length() - 1) : text + "\n";
	}

	private String file(String text) {
		List<String> more = List.of(this.attributes);
		String ended = more.contains("crlf") ? ended(text).replace("\n", "\r\n") : ended(text);
		byte[] bytes = ((more.contains("bom") ? "\uFEFF" : "") + ended).getBytes(charset());
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

}

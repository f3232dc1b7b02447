package io.kairo.autoconfigure.conformance;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The facts that the data of a result state.
 */
final class Facts {

	/**
	 * Facts that a model does not need, or asks for: the version, which the session
	 * remembers; the current directory, which is stated when it changes; durations; the
	 * size, time, charset and line ends of files, which Info returns; and the media type
	 * of an attachment, which has it.
	 */
	private static final Set<String> LEFT_OUT = Set.of("version", "currentDirectory", "durationMs", "modified", "size",
			"charset", "lineEnds", "searched", "mediaType", "complete", "incompleteReason");

	/** Values that go without saying. */
	private static final Map<String, Object> USUAL = Map.of("match", "exact", "type", "file", "files", 1L);

	/**
	 * Patterns of words for a fact, or for one of its values, where a text does not
	 * repeat it.
	 */
	private static final Map<String, String> WORDS = Map.ofEntries(Map.entry("timedOut=true", "timed out"),
			Map.entry("truncated=true", "left out"), Map.entry("found=true", "a line matches wait_for"),
			Map.entry("changed=true", "diff --git"), Map.entry("replaced=true", "in place of"),
			Map.entry("type=directory", "/|files"), Map.entry("outcome=dry_run", "nothing was written"),
			Map.entry("outcome=edited", "changed|\\+\\+\\+ b/"), Map.entry("outcome=deleted", "\\+\\+\\+ /dev/null"),
			Map.entry("running=true", "wrote"), Map.entry("taken=true", "wrote"),
			Map.entry("signal=CANCELLED", "ended on request"), Map.entry("outcome=trashed", "trash"),
			Map.entry("outcome=listed", "in the trash"),
			Map.entry("done=true", "undone|has begun|committed|discarded"));

	private Facts() {
	}

	/**
	 * Returns the facts that neither a call nor the text of its result states.
	 * @param data the data of the result
	 */
	static Set<String> missing(ToolCalls.Call call, String text, Map<String, Object> data) {
		Set<String> missing = new TreeSet<>();
		String lower = (call.arguments() + text).toLowerCase(Locale.ROOT);
		data.forEach((name, value) -> collect(name, value, lower, missing));
		return missing;
	}

	private static void collect(String name, Object value, String text, Set<String> missing) {
		if (value instanceof Map<?, ?> nested) {
			nested.forEach((key, item) -> collect(String.valueOf(key), item, text, missing));
		}
		else if (value instanceof Iterable<?> items) {
			items.forEach((item) -> collect(name, item, text, missing));
		}
		else if (!LEFT_OUT.contains(name) && !isUsual(name, value) && !isStated(name, value, text)) {
			missing.add(name + "=" + value);
		}
	}

	private static boolean isUsual(String name, Object value) {
		return String.valueOf(value).equals(String.valueOf(USUAL.get(name)));
	}

	private static boolean isStated(String name, Object value, String text) {
		if (name.equals("id") && text.contains("restored '")) {
			return true; // of an entry that the trash no longer has
		}
		if (value instanceof Number number) {
			return number.longValue() <= 0 || text.contains(number.toString())
					|| text.contains(String.format(Locale.ROOT, "%,d", number.longValue()));
		}
		String fact = (value instanceof Boolean) ? name : value.toString();
		return Boolean.FALSE.equals(value) || text.contains(fact.toLowerCase(Locale.ROOT))
				|| Pattern.compile(WORDS.getOrDefault(name + "=" + value, Pattern.quote(fact))).matcher(text).find();
	}

}

package io.kairo.governance.policy;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.governance.audit.ArgumentDigest;
import io.kairo.tools.CurrentDirectory;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A call as it is shown for approval: the directory that it starts from, its arguments,
 * and the result of a dry run or a trial where there is one. Immutable.
 *
 * @param text the text without secrets, empty if it would be too long
 * @param digest the digest of all of it, with secrets, and of the versions of the files
 * @param failure the failure of the dry run or of a call that is too long, null for none
 */
record ShownCall(String text, String digest, @Nullable ToolResult failure) {

	/** Maximum number of characters of the text. A longer call is not asked about. */
	static final int MAX_CHARACTERS = 100_000;

	/** A shorter value occurs in other texts by chance. */
	private static final int MIN_SECRET = 8;

	/** Letters, marks and symbols that are not visible. */
	private static final String INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
			+ "\ud81b\udfe4\ud834\udd59";

	private static final String DRY_RUN = "dry_run";

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(SerializationFeature.INDENT_OUTPUT)
		.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
		.build();

	/**
	 * Shows a call: all of it except for secrets, since the model could choose the hidden
	 * part.
	 * @param directory the directory that it starts from
	 * @param effect the result of a dry run or a trial, null if there is none
	 * @param versions the versions of the files that the call names
	 * @param secrets the values of the secrets of the tenant, by name
	 */
	static ShownCall of(ToolCall call, String directory, @Nullable ToolResult effect, List<String> versions,
			Map<String, String> secrets) {
		Map<String, Object> all = new LinkedHashMap<>();
		all.put("directory", directory);
		all.put("arguments", call.arguments());
		all.put("versions", versions);
		StringBuilder text = new StringBuilder((call.name() + " in " + directory).replace("\n", "\\n")).append('\n')
			.append(MAPPER.writeValueAsString(call.arguments()));
		ToolResult failure = null;
		if (effect != null) {
			all.put("effect", effect.data());
			text.append("\n\n").append(effect.text());
			failure = (effect.error() != null) ? effect : null;
		}
		String shown = (text.length() <= MAX_CHARACTERS) ? visible(withoutSecrets(text.toString(), secrets)) : "";
		int length = Math.max(text.length(), shown.length());
		if (failure == null && length > MAX_CHARACTERS) {
			failure = ToolResult.failure(
					PolicyInterceptor.TOO_LONG, "The call needs approval, and has " + length
							+ " characters to decide on; at most " + MAX_CHARACTERS + " are shown, so it was not made.",
					"Make the change in smaller parts.");
		}
		return new ShownCall(shown, ArgumentDigest.of(new ToolCall("", call.name(), all)), failure);
	}

	private static String withoutSecrets(String text, Map<String, String> secrets) {
		List<Map.Entry<String, String>> longestFirst = secrets.entrySet()
			.stream()
			.filter((secret) -> secret.getValue().length() >= MIN_SECRET)
			.sorted(Comparator.comparing((secret) -> -secret.getValue().length()))
			.toList();
		String shown = text;
		for (Map.Entry<String, String> secret : longestFirst) {
			String quoted = MAPPER.writeValueAsString(secret.getValue());
			String mask = "[secret " + secret.getKey() + "]";
			shown = shown.replace(quoted.substring(1, quoted.length() - 1), mask).replace(secret.getValue(), mask);
		}
		return shown;
	}

	/**
	 * Returns the directory that paths and commands of a call start from.
	 */
	static String directory(ToolContext context) {
		CurrentDirectory current = context.session().current();
		String shown = context.files().display(current.directory());
		return (current.outside() != null) ? current.outside() + " (" + shown + ")" : shown;
	}

	static ToolCall dryRun(ToolCall call) {
		Map<String, Object> arguments = new LinkedHashMap<>(call.arguments());
		arguments.remove("dryRun");
		arguments.put(DRY_RUN, true);
		return new ToolCall(call.id(), call.name(), arguments);
	}

	/**
	 * Escapes characters that are invisible or change the order of others: they could
	 * hide a part of the call.
	 */
	static String visible(String text) {
		StringBuilder visible = new StringBuilder();
		text.codePoints().forEach((c) -> {
			boolean hidden = switch (Character.getType(c)) {
				case Character.CONTROL -> c != '\n' && c != '\t';
				case Character.SPACE_SEPARATOR -> c != ' ';
				case Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
						Character.PRIVATE_USE, Character.UNASSIGNED ->
					true;
				default -> INVISIBLE.indexOf(c) >= 0 || (c >= 0xfe00 && c <= 0xfe0f) || c >= 0xe0100;
			};
			if (hidden) {
				visible.append(String.format("\\u{%x}", c));
			}
			else {
				visible.appendCodePoint(c);
			}
		});
		return visible.toString();
	}

}

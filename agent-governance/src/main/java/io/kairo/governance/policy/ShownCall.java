package io.kairo.governance.policy;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.governance.audit.ArgumentDigest;
import io.kairo.governance.audit.Redaction;
import io.kairo.tools.CurrentDirectory;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A call as it is shown for approval: the directory that it starts from, its arguments,
 * and the result of a dry run where its tool has one. Immutable.
 *
 * @param text the text without secrets
 * @param digest the digest of all of it, with secrets
 * @param failure the failure of the dry run, null for none
 */
record ShownCall(String text, String digest, @Nullable ToolResult failure) {

	/** Maximum number of characters of the text. */
	static final int MAX_CHARACTERS = 100_000;

	private static final String DRY_RUN = "dry_run";

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(SerializationFeature.INDENT_OUTPUT)
		.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
		.build();

	/**
	 * Shows a call.
	 * @param chain makes the dry run, null if the tool has none
	 */
	static ShownCall of(ToolCall call, ToolContext context, ToolInterceptor.@Nullable Chain chain,
			Redaction redaction) {
		String directory = directory(context);
		Map<String, Object> all = new LinkedHashMap<>();
		all.put("directory", directory);
		all.put("arguments", call.arguments());
		StringBuilder text = new StringBuilder(call.name()).append(" in ")
			.append(directory)
			.append('\n')
			.append(MAPPER.writeValueAsString(redaction.apply(call.arguments())));
		ToolResult failure = null;
		if (chain != null) {
			ToolResult result = chain.proceed(dryRun(call), context);
			all.put(DRY_RUN, result.data());
			text.append("\n\n").append(redaction.apply(result.text()));
			failure = (result.error() != null) ? result : null;
		}
		return new ShownCall(visible(text.toString()), ArgumentDigest.of(new ToolCall("", call.name(), all)), failure);
	}

	/**
	 * Returns the directory that paths and commands of a call start from.
	 */
	private static String directory(ToolContext context) {
		CurrentDirectory current = context.session().current();
		String shown = context.files().display(current.directory());
		return (current.outside() != null) ? current.outside() + " (" + shown + ")" : shown;
	}

	private static ToolCall dryRun(ToolCall call) {
		Map<String, Object> arguments = new LinkedHashMap<>(call.arguments());
		arguments.remove("dryRun");
		arguments.put(DRY_RUN, true);
		return new ToolCall(call.id(), call.name(), arguments);
	}

	/**
	 * Escapes characters that are invisible or change the order of others, which could
	 * hide a part of the call.
	 */
	static String visible(String text) {
		StringBuilder visible = new StringBuilder();
		text.codePoints().limit(MAX_CHARACTERS).forEach((c) -> {
			boolean hidden = switch (Character.getType(c)) {
				case Character.CONTROL -> c != '\n' && c != '\t';
				case Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
						Character.PRIVATE_USE, Character.UNASSIGNED ->
					true;
				default -> false;
			};
			if (hidden) {
				visible.append(String.format("\\u{%x}", c));
			}
			else {
				visible.appendCodePoint(c);
			}
		});
		long more = text.codePointCount(0, text.length()) - (long) MAX_CHARACTERS;
		return (more > 0) ? visible.append("\n[").append(more).append(" more characters]").toString()
				: visible.toString();
	}

}

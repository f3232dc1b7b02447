package io.kairo.tools.file;

import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.kairo.tools.CallDeadline;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;

/**
 * The results of the tools that describe files.
 */
final class InfoReport {

	private InfoReport() {
	}

	/**
	 * Runs work that stops at the deadline of the tool or when the call is cancelled.
	 * @param work the work; its argument returns whether to stop
	 */
	static ToolResult within(InfoOptions options, ToolContext context, Function<BooleanSupplier, ToolResult> work) {
		CallDeadline deadline = context.deadline(options.deadline());
		ToolResult result = work.apply(deadline::isOver);
		return deadline.isCancelled() ? ToolResult.cancelled("The search was cancelled.") : result;
	}

	/**
	 * Returns a result with one fact per line.
	 * @param left the reason why something is left out, empty if nothing is
	 */
	static ToolResult of(Map<String, Object> data, String left) {
		String lines = data.entrySet()
			.stream()
			.map((fact) -> fact.getKey() + ": " + Phrase.visible(String.valueOf(fact.getValue())))
			.collect(Collectors.joining("\n"));
		return new ToolResult(lines + (left.isEmpty() ? "" : "\n(" + left + ")"), data, null,
				left.isEmpty() ? Completeness.COMPLETE : Completeness.partial(left, null));
	}

}

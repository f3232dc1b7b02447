package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.tools.ToolError;
import io.kairo.tools.file.UnmappableCharacters;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * Performs edits of one file in memory, each on what the ones before it have left, so
 * that all of them can be written in one step, or none. For use by one thread.
 */
final class EditPlan {

	private static final int MAX_NAMED_LINES = 20;

	private final String path;

	private EditableText text;

	private @Nullable Rung rung;

	private List<ByteSplice> splices = List.of();

	/**
	 * Starts a plan.
	 * @param path the file, for messages
	 * @param text its text
	 */
	EditPlan(String path, EditableText text) {
		this.path = path;
		this.text = text;
	}

	/**
	 * Performs an edit.
	 * @return why it cannot be performed, and then the plan is as it was; null if it was
	 */
	@Nullable ToolError perform(TextEdit edit) {
		MatchLadder.Found found = new MatchLadder(this.text, edit).climb();
		if (found == null) {
			return new NearestCandidate(this.text, edit).explain(this.path);
		}
		if (found.extent() == MatchLadder.Extent.CUT && severalAreWanted(edit, found.rung())) {
			return new ToolError(WorkspaceErrorCode.TOO_LARGE.code(),
					Phrase.of("old_string is in '%s' more than %,d times, which is more than can be replaced at once.",
							this.path, found.matches().size()),
					"Nothing was written. Use a command such as sed, or a longer old_string.");
		}
		if (found.matches().size() > 1 && !severalAreWanted(edit, found.rung())) {
			return several(found);
		}
		MatchSplice splice = new MatchSplice(this.text, found);
		List<ByteSplice> planned = new ArrayList<>();
		for (TextMatch match : found.matches()) {
			ByteSplice one = splice.of(match);
			if (one == null) {
				return UnmappableCharacters.problem("new_string", edit.newString(), this.text.encoding(), this.path);
			}
			planned.add(one);
		}
		byte[] bytes = ByteSplice.apply(this.text.bytes(), planned);
		this.text = new EditableText(bytes, this.text.encoding());
		this.rung = found.rung();
		this.splices = planned;
		return null;
	}

	/**
	 * Returns the text as the edits have left it.
	 */
	EditableText text() {
		return this.text;
	}

	/**
	 * Returns how the last edit found its part, null before the first edit.
	 */
	@Nullable Rung rung() {
		return this.rung;
	}

	/**
	 * Returns how often the last edit replaced its part.
	 */
	int replacements() {
		return this.splices.size();
	}

	/**
	 * Returns where the last edit put new bytes, as offsets into {@link #text()}: each
	 * pair is the first byte and the one after the last.
	 */
	List<int[]> changed() {
		List<int[]> changed = new ArrayList<>();
		int shift = 0;
		for (ByteSplice splice : this.splices) {
			int from = splice.from() + shift;
			changed.add(new int[] { from, from + splice.replacement().length });
			shift += splice.replacement().length - (splice.to() - splice.from());
		}
		return changed;
	}

	/**
	 * Returns whether many places are what the edit wants. Looser rungs may find what was
	 * not meant; another line end is the same text to whoever has read it.
	 */
	private static boolean severalAreWanted(TextEdit edit, Rung rung) {
		return edit.scope() == TextEdit.Scope.ALL && (rung == Rung.EXACT || rung == Rung.LINE_ENDS);
	}

	private ToolError several(MatchLadder.Found found) {
		List<String> lines = found.matches()
			.stream()
			.limit(MAX_NAMED_LINES)
			.map((match) -> String.valueOf(this.text.lineAt(match.offset(0)) + 1))
			.toList();
		int count = found.matches().size();
		boolean exact = found.rung() == Rung.EXACT || found.rung() == Rung.LINE_ENDS;
		return new ToolError(ToolError.SEVERAL_MATCHES,
				Phrase.of("old_string is in '%s' %,d times%s, in lines %s%s.", this.path, count,
						exact ? "" : ", " + found.rung().phrase(), String.join(", ", lines),
						(count > lines.size()) ? ", …" : ""),
				"Add lines around it to old_string until it is unique"
						+ (exact ? ", or set replace_all to replace all of them." : "; give it as it is in the file."));
	}

}

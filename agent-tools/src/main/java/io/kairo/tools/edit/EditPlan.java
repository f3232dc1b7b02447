package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.tools.ToolError;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.LineEnd;
import io.kairo.tools.text.Phrase;

/**
 * A sequence of edits of one file in memory, each applied to the result of the ones
 * before it, so that all of them are written in one step, or none. For use by one thread.
 */
final class EditPlan {

	private static final int MAX_NAMED_LINES = 20;

	private final String path;

	private final int maxBytes;

	private final EditTime time;

	private EditableText text;

	private final ChangedRanges changed = new ChangedRanges();

	/**
	 * Starts a plan.
	 * @param path the file, for messages
	 * @param text its text
	 * @param maxBytes the maximum size of the result in bytes
	 * @param time the time of the edits
	 */
	EditPlan(String path, EditableText text, int maxBytes, EditTime time) {
		this.time = time;
		this.path = path;
		this.maxBytes = maxBytes;
		this.text = text;
	}

	/**
	 * Performs an edit. If it is refused, the plan is unchanged.
	 * @param edit the edit
	 * @param number the number of the edit in its call, for messages
	 * @return the result of the edit
	 * @throws EditRefusal if it cannot be performed
	 * @throws EditTime.OverException if the time is over
	 */
	Done perform(TextEdit edit, int number) throws EditRefusal {
		String elided = ElidedLines.added(edit.newString(), edit.oldString());
		if (elided != null) {
			throw new EditRefusal(EditHints.elided(EditTerms.STRINGS, elided, this.path));
		}
		TolerantMatcher.Found found = new TolerantMatcher(this.text, edit, this.time).find();
		if (found == null) {
			throw new EditRefusal(
					new NearestCandidate(this.text, edit, EditTerms.STRINGS, this.time).explain(this.path));
		}
		if (found.extent() == TolerantMatcher.Extent.CUT && severalAreWanted(edit, found.level())) {
			throw new EditRefusal(WorkspaceErrorCode.TOO_LARGE.code(),
					Phrase.of("old_string is in '%s' more than %,d times, which is more than can be replaced at once.",
							this.path, found.matches().size()),
					"Nothing was written. Use a command such as sed, or a longer old_string.");
		}
		if (found.matches().size() > 1 && !severalAreWanted(edit, found.level())) {
			throw new EditRefusal(several(found));
		}
		TextMatch first = found.matches().get(0);
		KeptLineEnds ends = isVerbatim(found) ? null
				: new KeptLineEnds(this.text, first.pattern(), first.replacement());
		SpliceBuilder builder = new SpliceBuilder(this.text, EditTerms.STRINGS, edit.newString(), this.path,
				this.maxBytes);
		for (TextMatch match : found.matches()) {
			this.time.step();
			builder.requireWholeCharacters(match);
			builder.add(match, ends, found.matches().size());
		}
		int earlier = this.changed.overlapping(builder.splices());
		if (earlier >= 0) {
			throw new EditRefusal(ToolError.OVERLAPPING_EDITS,
					Phrase.of("It would change what edits[%d] has written to '%s', in line %,d.", earlier, this.path,
							this.text.lineAt(builder.splices().get(0).from()) + 1),
					Phrase.of("Nothing was written. Make one edit of both, or give in edits[%d] the final text.",
							earlier));
		}
		apply(builder.splices(), number);
		return new Done(found.level(), found.matches().size(), -1);
	}

	/**
	 * Performs hunks. They are in the order of the text and do not overlap. If one of
	 * them is refused, the plan is unchanged.
	 * @param hunks the hunks
	 * @return the results of the hunks
	 * @throws EditRefusal if one of them cannot be performed; names it
	 * @throws EditTime.OverException if the time is over
	 */
	List<Done> perform(List<Hunk> hunks) throws EditRefusal {
		List<Done> done = new ArrayList<>();
		List<ByteSplice> splices = new ArrayList<>();
		FinalNewline last = FinalNewline.KEEP;
		int line = 0;
		long size = this.text.bytes().length;
		for (Hunk hunk : hunks) {
			this.time.check();
			try {
				HunkPlace place = new HunkFinder(this.text, hunk, line, this.path, this.time).find();
				SpliceBuilder builder = new SpliceBuilder(this.text, EditTerms.HUNK, hunk.newText(), this.path,
						this.maxBytes - (int) Math.max(0, size - this.text.bytes().length));
				for (TextMatch change : place.changes()) {
					this.time.step();
					builder.add(change, new KeptLineEnds(this.text, change.pattern(), change.replacement()), 1);
				}
				size += builder.growth();
				splices.addAll(builder.splices());
				line = place.line() + place.count();
				last = place.endsAt(this.text) ? hunk.finalNewline() : FinalNewline.KEEP;
				done.add(new Done(place.level(), 1, place.line()));
			}
			catch (EditRefusal ex) {
				throw ex.at(hunk.name());
			}
		}
		apply(splices, 0);
		ByteSplice end = last.splice(this.text);
		if (end != null) {
			apply(List.of(end), 0);
		}
		return done;
	}

	private void apply(List<ByteSplice> splices, int number) {
		byte[] bytes = ByteSplice.apply(this.text.bytes(), splices);
		this.text = new EditableText(bytes, this.text.encoding());
		this.changed.add(splices, number);
	}

	/**
	 * Returns the text after the edits.
	 */
	EditableText text() {
		return this.text;
	}

	/**
	 * Returns the ranges of new bytes.
	 */
	List<ChangedRanges.Range> changed() {
		return this.changed.all();
	}

	/**
	 * Returns whether the edit may replace several places. Looser levels may match places
	 * that were not meant; other line ends are the same text to the model.
	 */
	private static boolean severalAreWanted(TextEdit edit, MatchLevel level) {
		return edit.scope() == TextEdit.Scope.ALL && (level == MatchLevel.EXACT || level == MatchLevel.LINE_ENDS);
	}

	/**
	 * Returns whether an exact edit changes line ends only. They are then written as
	 * given.
	 */
	private static boolean isVerbatim(TolerantMatcher.Found found) {
		TextMatch first = found.matches().get(0);
		return found.level() == MatchLevel.EXACT
				&& LineEnd.strip(first.pattern()).equals(LineEnd.strip(first.replacement()));
	}

	private ToolError several(TolerantMatcher.Found found) {
		List<String> lines = found.matches()
			.stream()
			.limit(MAX_NAMED_LINES)
			.map((match) -> String.valueOf(this.text.lineAt(match.offset(0)) + 1))
			.toList();
		int count = found.matches().size();
		boolean exact = found.level() == MatchLevel.EXACT || found.level() == MatchLevel.LINE_ENDS;
		return new ToolError(ToolError.SEVERAL_MATCHES,
				Phrase.of("old_string is in '%s' %,d times%s, in lines %s%s.", this.path, count,
						exact ? "" : ", " + found.level().phrase(), String.join(", ", lines),
						(count > lines.size()) ? ", …" : ""),
				"Add lines around it to old_string until it is unique"
						+ (exact ? ", or set replace_all to replace all of them." : "; give it as it is in the file."));
	}

	/**
	 * The result of an edit.
	 *
	 * @param level the level of the match
	 * @param replacements the number of replacements
	 * @param line the first line of a hunk, from 0; -1 for other edits
	 */
	record Done(MatchLevel level, int replacements, int line) {
	}

}

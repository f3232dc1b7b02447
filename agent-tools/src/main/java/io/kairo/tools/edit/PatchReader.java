package io.kairo.tools.edit;

import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.text.Phrase;

/**
 * The reader of patches as models write them.
 */
final class PatchReader {

	/** Maximum number of characters of a patch. */
	static final int MAX_CHARACTERS = 4 << 20;

	/** Maximum number of files of a patch. */
	private static final int MAX_FILES = 1000;

	private PatchReader() {
	}

	/**
	 * Reads a patch.
	 * @param patch the text
	 * @return its sections, at least one
	 * @throws EditRefusal if it is too long
	 * @throws ToolArgumentException if it is malformed
	 */
	static List<PatchSection> read(String patch) throws EditRefusal {
		if (patch.length() > MAX_CHARACTERS) {
			throw tooLarge(patch.length(), MAX_CHARACTERS, "characters");
		}
		PatchLines lines = new PatchLines(patch);
		if (lines.isTooLong()) {
			throw tooLarge(patch.chars().filter((c) -> c == '\n').count(), PatchLines.MAX_LINES, "lines");
		}
		lines = lines.unfenced();
		List<PatchSection> sections = lines.skipTo(EnvelopeReader.BEGIN) ? new EnvelopeReader(lines).read()
				: new UnifiedDiffReader(lines).read();
		if (sections.isEmpty()) {
			throw new ToolArgumentException("The patch changes no file.", "Begin it with '" + EnvelopeReader.BEGIN
					+ "', or with '--- a/<path>' and '+++ b/<path>' before " + "the hunks of each file.");
		}
		if (sections.size() > MAX_FILES) {
			throw tooLarge(sections.size(), MAX_FILES, "files");
		}
		return sections;
	}

	private static EditRefusal tooLarge(long count, int most, String unit) {
		return new EditRefusal(WorkspaceErrorCode.TOO_LARGE.code(),
				Phrase.of("The patch has %,d %s, more than the %,d that can be applied at once.", count, unit, most),
				"Nothing was changed. Give it in several calls, or write long new files one by one.");
	}

}

package io.kairo.tools.edit;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The edits of a call that replace one text by another.
 *
 * @param files the files of the call
 */
record StringEdits(EditedFiles files) {

	/**
	 * Plans an edit on the result of the earlier ones.
	 * @param path the file
	 * @param given the version that the call gives, null if it gives none
	 * @param edit the edit; an empty old text creates the file
	 * @param number the number of the edit in its call
	 * @return the file
	 * @throws EditRefusal if it cannot be performed
	 */
	EditedFile plan(WorkspacePath path, @Nullable String given, TextEdit edit, int number) throws EditRefusal {
		String shown = this.files.shown(path);
		EditedFile file = this.files.open(path, given);
		if (edit.oldString().isEmpty()) {
			if (file.exists()) {
				throw new EditRefusal(WorkspaceErrorCode.FILE_EXISTS.code(),
						"'" + shown + "' exists, and an empty old_string only creates a file that does not.",
						"Give the part to replace in old_string, or write the whole file anew.");
			}
			return this.files.create(path, edit.newString(), "new_string", given, "Give another path.");
		}
		this.files.requireExisting(file, "Check the path; an empty old_string creates the file.");
		EditPlan plan = file.plan();
		if (plan == null) {
			throw new IllegalStateException(Phrase.of("%s has no content", shown));
		}
		file.count(plan.perform(edit, number));
		this.files.touch(file);
		return file;
	}

}

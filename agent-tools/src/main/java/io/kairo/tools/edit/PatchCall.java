package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.trash.TrashStore;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@link ApplyPatchTool}.
 */
final class PatchCall {

	private static final int MAX_NOTES = 20;

	private final List<PatchSection> sections;

	private final List<WorkspacePath> files = new ArrayList<>();

	private final List<@Nullable WorkspacePath> targets = new ArrayList<>();

	private final EditEffect effect;

	private final ToolContext context;

	private final EditOptions options;

	private final TrashStore trash;

	/**
	 * Creates a call.
	 * @param sections the sections of the patch
	 * @param effect the effect of the call
	 * @param context the context of the call
	 * @param options the bounds of the tool
	 * @param trash the trash for deleted files
	 * @throws WorkspacePathException if a path is not one into the workspace
	 */
	PatchCall(List<PatchSection> sections, EditEffect effect, ToolContext context, EditOptions options,
			TrashStore trash) {
		this.sections = sections;
		this.effect = effect;
		this.context = context;
		this.options = options;
		this.trash = trash;
		Set<WorkspacePath> made = new LinkedHashSet<>();
		for (PatchSection section : sections) {
			section.named().forEach((path) -> context.resolve(path.candidates().get(0)));
			PatchPath target = section.target();
			WorkspacePath moved = (target != null) ? context.resolve(target.candidates().get(0)) : null;
			WorkspacePath file = (section.kind() == PatchSection.Kind.ADD)
					? context.resolve(section.path().candidates().get(0)) : existing(section.path(), made);
			made.add((moved != null) ? moved : file);
			this.files.add(file);
			this.targets.add(moved);
		}
	}

	/**
	 * Returns the first path that exists, else the most likely one.
	 */
	private WorkspacePath existing(PatchPath path, Set<WorkspacePath> made) {
		WorkspacePath likely = this.context.resolve(path.candidates().get(0));
		for (String candidate : path.candidates()) {
			try {
				WorkspacePath resolved = this.context.resolve(candidate);
				if (made.contains(resolved) || this.context.files().info(resolved).isOk()) {
					return resolved;
				}
			}
			catch (WorkspacePathException ex) {
				// not this one, then
			}
		}
		return likely;
	}

	/**
	 * Returns the files of the call.
	 */
	Set<WorkspacePath> paths() {
		Set<WorkspacePath> paths = new LinkedHashSet<>(this.files);
		this.targets.stream().filter(Objects::nonNull).forEach(paths::add);
		return paths;
	}

	ToolResult perform(EditedFiles edited) throws EditRefusal {
		EditReport.Steps steps = new EditReport.Steps("hunks", "hunk");
		for (int i = 0; i < this.sections.size(); i++) {
			try {
				plan(edited, i, steps);
			}
			catch (EditRefusal ex) {
				throw ex.at(Phrase.of("File %d of the patch ('%s')", i + 1, this.context.display(this.files.get(i))));
			}
		}
		return EditRun.finish(this.effect, new EditReport(edited, steps, this.context, this.options));
	}

	private void plan(EditedFiles edited, int index, EditReport.Steps steps) throws EditRefusal {
		PatchSection section = this.sections.get(index);
		WorkspacePath path = this.files.get(index);
		switch (section.kind()) {
			case ADD -> edited.create(path, content(section.hunks()), "the patch", null,
					"Nothing was changed. Adding replaces no file: update it, or delete it earlier in the patch.");
			case DELETE -> delete(edited, path, section.hunks());
			case UPDATE -> update(edited, index, section, steps);
		}
	}

	/**
	 * Returns the text of a new file.
	 */
	private static String content(List<Hunk> hunks) throws EditRefusal {
		if (hunks.size() > 1 || hunks.stream().anyMatch((hunk) -> oldText(hunk) != null)) {
			throw new EditRefusal(ToolError.INVALID_ARGUMENTS, "A new file has only added lines, in one hunk.",
					"Nothing was changed. Begin each line with +; to change a file that exists, name it in both "
							+ "headers.");
		}
		if (hunks.isEmpty() || hunks.get(0).lines().isEmpty()) {
			return "";
		}
		String text = hunks.get(0).newText();
		return (hunks.get(0).finalNewline() == FinalNewline.REMOVE) ? text : text + "\n";
	}

	/**
	 * Returns the old lines of a hunk, without blank ones that only separate sections.
	 */
	private static @Nullable String oldText(Hunk hunk) {
		List<List<Hunk.Line>> readings = hunk.readings();
		return Hunk.oldText(readings.get(Math.min(1, readings.size() - 1)));
	}

	private void delete(EditedFiles edited, WorkspacePath path, List<Hunk> hunks) throws EditRefusal {
		if (hunks.isEmpty()) {
			edited.delete(edited.openEntry(path), this.trash);
			return;
		}
		EditedFile file = edited.requireExisting(edited.open(path, null), "Check the path.");
		EditPlan plan = Objects.requireNonNull(file.plan());
		plan.perform(hunks);
		if (plan.text().bytes().length > plan.text().encoding().bomLength()) {
			throw new EditRefusal(ToolError.NO_MATCH,
					"The file would be deleted, but has more lines than those that the patch removes.",
					"Nothing was changed. Read the file; to delete it whatever it has, use '*** Delete File'.");
		}
		edited.delete(file, this.trash);
	}

	private void update(EditedFiles edited, int index, PatchSection section, EditReport.Steps steps)
			throws EditRefusal {
		WorkspacePath path = this.files.get(index);
		WorkspacePath target = this.targets.get(index);
		EditedFile file;
		if (section.hunks().isEmpty()) {
			file = edited.openEntry(path);
		}
		else {
			file = edited.requireExisting(edited.open(path, null), "Check the path; to create the file, add it.");
			perform(file, section.hunks(), steps);
			edited.touch(file);
		}
		if (target != null) {
			edited.move(file, target);
		}
	}

	private void perform(EditedFile file, List<Hunk> hunks, EditReport.Steps steps) throws EditRefusal {
		for (Hunk hunk : hunks) {
			if (!hunk.changesLines()) {
				throw new EditRefusal(ToolError.NO_CHANGE,
						Phrase.of("%s: its old and its new text are the same.", hunk.name()),
						"Nothing was changed. Leave it out: new lines end as those of the file do.");
			}
		}
		List<EditPlan.Done> done = Objects.requireNonNull(file.plan()).perform(hunks);
		for (int i = 0; i < done.size(); i++) {
			EditPlan.Done one = done.get(i);
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("path", this.context.display(file.path()));
			data.put("hunk", i + 1);
			data.put("line", one.line() + 1);
			data.put("match", one.level().code());
			steps.data().add(data);
			if (one.level() != MatchLevel.EXACT && one.level() != MatchLevel.LINE_ENDS
					&& steps.notes().size() < MAX_NOTES) {
				steps.notes()
					.add(Phrase.of("'%s', %s: its lines were found %s.", this.context.display(file.path()),
							hunks.get(i).name(), one.level().phrase()));
			}
		}
	}

}

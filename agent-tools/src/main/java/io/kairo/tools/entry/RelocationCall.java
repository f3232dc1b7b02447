package io.kairo.tools.entry;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ReadLedger;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.NearNames;
import io.kairo.tools.file.SeenVersion;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * A call that moves or copies an entry.
 *
 * @param kind the effect on the source
 * @param source the entry
 * @param destination its new path
 * @param overwrite whether a file at the destination is replaced
 * @param context the context of the call
 * @param deadline the deadline for counting
 */
record RelocationCall(Kind kind, WorkspacePath source, WorkspacePath destination, WorkspaceChange.Overwrite overwrite,
		ToolContext context, CallDeadline deadline) {

	/**
	 * Returns the failure of the call at the moment, null if none is foreseen.
	 */
	@Nullable ToolResult foresee(boolean recursive) {
		WorkspaceResult<FileInfo> found = files().info(this.source);
		ToolResult problem = problem(found.isOk() ? found.value() : null, recursive);
		if (problem == null && found instanceof WorkspaceResult.Failure<FileInfo> failure) {
			return failed(failure);
		}
		FileInfo there = info(this.destination);
		boolean taken = there != null
				&& (this.overwrite == WorkspaceChange.Overwrite.REFUSE || there.type() == FileType.DIRECTORY);
		return (problem == null && taken) ? failed(new WorkspaceResult.Failure<>(WorkspaceErrorCode.FILE_EXISTS,
				"'" + shown(this.destination) + "' exists already: give another path")) : problem;
	}

	ToolResult perform(boolean recursive) {
		FileInfo before = info(this.source);
		ToolResult problem = problem(before, recursive);
		if (problem != null) {
			return problem;
		}
		boolean replaced = this.overwrite == WorkspaceChange.Overwrite.REPLACE && info(this.destination) != null;
		WorkspaceResult<ChangeReport> applied = files().apply(change());
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return failed(failure);
		}
		ChangeReport.Line line = applied.value().lines().get(0);
		if (!line.applied()) {
			return same();
		}
		remember((before != null) ? before.version() : null, line.version());
		return result(replaced, line.version());
	}

	private WorkspaceChange change() {
		return (this.kind == Kind.MOVE) ? new WorkspaceChange.Move(this.source, this.destination, this.overwrite, null)
				: new WorkspaceChange.Copy(this.source, this.destination, this.overwrite, null);
	}

	private @Nullable ToolResult problem(@Nullable FileInfo before, boolean recursive) {
		if (this.source.isRoot()) {
			return ToolResult.failure(
					WorkspaceErrorCode.IS_A_DIRECTORY.code(), "'" + shown(this.source)
							+ "' is the root of the workspace, which cannot be " + this.kind.done + ".",
					"Give a file or a directory in it.");
		}
		if (this.source.equals(this.destination)) {
			return same();
		}
		if (this.destination.startsWith(this.source)) {
			return ToolResult.failure(
					ToolError.INVALID_ARGUMENTS, "'" + shown(this.destination) + "' lies inside of '"
							+ shown(this.source) + "', so it cannot be " + this.kind.done + " there.",
					"Give a destination outside of it.");
		}
		if (this.kind == Kind.COPY && before != null && before.type() == FileType.DIRECTORY && !recursive) {
			EntryCount count = EntryCount.of(this.source, files(), this.deadline::isOver);
			return ToolResult.failure(WorkspaceErrorCode.IS_A_DIRECTORY.code(),
					"'" + shown(this.source) + "' is a directory" + count.phrase() + ".",
					"Call again with recursive set to true to copy it with everything in it.");
		}
		return null;
	}

	private ToolResult same() {
		return ToolResult.failure(ToolError.NO_CHANGE,
				"'" + shown(this.source) + "' and '" + shown(this.destination) + "' are the same entry.",
				"Give another destination, or leave it as it is.");
	}

	private ToolResult failed(WorkspaceResult.Failure<?> failure) {
		ToolResult bare = ToolResult.failure(failure);
		FileInfo there = info(this.destination);
		return switch (failure.code()) {
			case FILE_NOT_FOUND -> withStep(bare, NearNames.question(this.source, this.context));
			case FILE_EXISTS, IS_A_DIRECTORY -> (there != null && there.type() == FileType.DIRECTORY)
					? withStep(bare,
							"To put it into that directory, give '" + within(this.destination)
									+ "' as the destination.")
					: (there != null && this.overwrite == WorkspaceChange.Overwrite.REFUSE) ? withStep(bare,
							"Give another destination; or, if the file there is not needed, set overwrite to true.")
							: bare;
			default -> bare;
		};
	}

	private String within(WorkspacePath directory) {
		String shown = shown(directory);
		return (shown.endsWith("/") ? shown : shown + "/") + this.source.name();
	}

	private static ToolResult withStep(ToolResult failure, @Nullable String step) {
		ToolError error = failure.error();
		return (error != null && step != null) ? ToolResult.failure(error.code(), error.message(), step) : failure;
	}

	/**
	 * Lets the session know the files under their new paths, in the versions that it has
	 * seen.
	 */
	private void remember(@Nullable String before, @Nullable String after) {
		ReadLedger ledger = this.context.session().ledger();
		WorkspacePath copy = ledger.known(this.destination, files());
		if (this.kind == Kind.MOVE) {
			this.context.session().moved(this.source, this.destination, files());
		}
		else {
			ledger.copy(ledger.known(this.source, files()), copy);
		}
		if (after != null && !after.equals(before) && String.valueOf(ledger.version(copy)).equals(before)) {
			ledger.record(copy, after);
		}
	}

	private ToolResult result(boolean replaced, @Nullable String version) {
		EntryCount count = EntryCount.of(this.destination, files(), this.deadline::isOver);
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("source", shown(this.source));
		data.put("destination", shown(this.destination));
		data.put("outcome", this.kind.done);
		count.describe(data);
		if (replaced) {
			data.put("replaced", true);
		}
		if (version != null) {
			data.put("version", version);
		}
		return ToolResult.ok(Phrase.of("%s '%s' to '%s'%s%s.%s", this.kind.sentence, shown(this.source),
				shown(this.destination), count.phrase(), replaced ? ", in place of the file that was there" : "",
				(version != null) ? SeenVersion.versionLine(version, this.context) : ""), data);
	}

	private @Nullable FileInfo info(WorkspacePath path) {
		return (files().info(path) instanceof WorkspaceResult.Ok<FileInfo> info) ? info.value() : null;
	}

	private WorkspaceFiles files() {
		return this.context.files();
	}

	private String shown(WorkspacePath path) {
		return this.context.display(path);
	}

	/**
	 * The effect on the source.
	 */
	enum Kind {

		/** It goes away. */
		MOVE("moved", "Moved"),

		/** It stays. */
		COPY("copied", "Copied");

		private final String done;

		private final String sentence;

		Kind(String done, String sentence) {
			this.done = done;
			this.sentence = sentence;
		}

	}

}

package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ReadLedger;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.NearNames;
import io.kairo.tools.file.SeenVersion;
import io.kairo.tools.file.UnmappableCharacters;
import io.kairo.tools.file.WholeFile;
import io.kairo.tools.session.EquivalentPaths;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import io.kairo.tools.trash.TrashStore;
import org.jspecify.annotations.Nullable;

/**
 * The files that a call changes. All changes are planned in memory, each on the result of
 * those before it, and written in one step, or none. For use by one thread.
 */
final class EditedFiles {

	private final ToolContext context;

	private final EditOptions options;

	private final EditTerms terms;

	private final EditTime time;

	/** The file at each path, as the changes so far leave it. */
	private final Map<WorkspacePath, EditedFile> current = new LinkedHashMap<>();

	private final EquivalentPaths equivalents = new EquivalentPaths();

	/** Every file, in the order of its first change. */
	private final List<EditedFile> all = new ArrayList<>();

	/** The moves and deletions, in their order. */
	private final List<WorkspaceChange> structure = new ArrayList<>();

	private @Nullable Deletions deletions;

	private long read;

	EditedFiles(ToolContext context, EditOptions options, EditTerms terms, EditTime time) {
		this.context = context;
		this.options = options;
		this.terms = terms;
		this.time = time;
	}

	/**
	 * Returns the files in the order of their first change.
	 */
	List<EditedFile> all() {
		return this.all;
	}

	/**
	 * Returns a text file, or a missing one.
	 * @param path the file
	 * @param given the version that the call gives, null if it gives none
	 * @throws EditRefusal if it is no text file, too large, or outdated
	 */
	EditedFile open(WorkspacePath path, @Nullable String given) throws EditRefusal {
		EditedFile known = this.current.get(known(path));
		if (known != null && (known.plan() != null || !known.exists())) {
			return known;
		}
		if (known != null) {
			throw new EditRefusal(ToolError.INVALID_ARGUMENTS,
					Phrase.of("'%s' is moved by an earlier change of the same call.", shown(path)),
					"Nothing was changed. Change and move it in the same part of the patch.");
		}
		SeenVersion seen = SeenVersion.now(path, given, this.context);
		WorkspaceResult<WholeFile> result = WholeFile.read(this.context.files(), path, this.options.maxFileBytes());
		if (result instanceof WorkspaceResult.Failure<WholeFile> failure) {
			if (failure.code() == WorkspaceErrorCode.FILE_NOT_FOUND) {
				return add(EditedFile.absent(seen));
			}
			throw new EditRefusal(
					(failure.code() == WorkspaceErrorCode.TOO_LARGE)
							? ToolResult.failure(failure.code().code(), failure.message() + ".",
									"Use a command such as sed on '" + shown(path) + "'.")
							: ToolResult.failure(failure));
		}
		WholeFile file = result.value();
		String kind = file.binaryKind();
		if (kind != null) {
			throw new EditRefusal(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
					Phrase.of("'%s' is %s of %s, not text.", shown(path), kind,
							Phrase.count(file.bytes().length, "byte")),
					"Use a command that understands this kind of file.");
		}
		if (seen.isOutdated(file.version())) {
			throw new EditRefusal(
					seen.stale(shown(path), file, this.options.maxDiffLines(), this.terms.takesVersion()));
		}
		this.read += file.bytes().length;
		requireSize(this.read);
		return add(EditedFile.of(seen, file, plan(path, file.text())));
	}

	/**
	 * Returns a file or a link of any content, to be moved or deleted only.
	 * @param path the entry
	 * @throws EditRefusal if it is missing, a directory, or outdated
	 */
	EditedFile openEntry(WorkspacePath path) throws EditRefusal {
		EditedFile known = this.current.get(known(path));
		if (known != null) {
			return known.exists() ? known : requireExisting(known, "Check the path.");
		}
		SeenVersion seen = SeenVersion.now(path, null, this.context);
		WorkspaceResult<FileInfo> info = this.context.files().info(path);
		if (info instanceof WorkspaceResult.Ok<FileInfo> ok && ok.value().type() == FileType.LINK) {
			return add(EditedFile.ofEntry(seen, null));
		}
		WorkspaceResult<FileContent> start = this.context.files().read(path, 0, FileContent.HASHED_SIZE);
		if (start instanceof WorkspaceResult.Failure<FileContent> failure) {
			if (failure.code() == WorkspaceErrorCode.FILE_NOT_FOUND) {
				return requireExisting(add(EditedFile.absent(seen)), "Check the path.");
			}
			throw new EditRefusal(ToolResult.failure(failure));
		}
		String version = start.value().version();
		if (seen.isOutdated(version)) {
			throw new EditRefusal(WorkspaceErrorCode.STALE_READ.code(),
					Phrase.of("'%s' was changed since it was read.", shown(path)),
					"Read it again, and then move or delete it.");
		}
		return add(EditedFile.ofEntry(seen, version));
	}

	private EditedFile add(EditedFile file) {
		put(file.origin(), file);
		return file;
	}

	private void put(WorkspacePath path, EditedFile file) {
		WorkspacePath known = known(path);
		this.equivalents.add(known);
		this.current.put(known, file);
	}

	private WorkspacePath known(WorkspacePath path) {
		return this.equivalents.known(path, this.context.files());
	}

	private EditPlan plan(WorkspacePath path, EditableText text) {
		return new EditPlan(shown(path), text, this.options.maxFileBytes(), this.time);
	}

	/**
	 * Requires a file that is to be changed to exist.
	 * @param otherwise the advice if no name is similar
	 */
	EditedFile requireExisting(EditedFile file, String otherwise) throws EditRefusal {
		if (file.exists()) {
			return file;
		}
		boolean deleted = this.all.contains(file);
		throw new EditRefusal(WorkspaceErrorCode.FILE_NOT_FOUND.code(),
				Phrase.of(deleted ? "'%s' is deleted or moved by an earlier change of the same call."
						: "'%s' does not exist.", shown(file.path())),
				deleted ? "Nothing was changed. Use its new path, or change it before that."
						: Objects.requireNonNullElse(NearNames.question(file.path(), this.context), otherwise));
	}

	/**
	 * Creates a file.
	 * @param path its path
	 * @param content its text
	 * @param parameter the parameter that has the text, for messages
	 * @param given the version that the call gives, null if it gives none
	 * @param exists the advice if there is a file
	 */
	EditedFile create(WorkspacePath path, String content, String parameter, @Nullable String given, String exists)
			throws EditRefusal {
		EditedFile file = requireAbsent(path, given, exists);
		if (given != null && !given.equals(WorkspaceChange.ABSENT)) {
			throw new EditRefusal(file.seen().gone(shown(path)));
		}
		byte[] bytes = TextEncoding.UTF_8.encodeOrNull(content);
		if (bytes == null) {
			throw new EditRefusal(UnmappableCharacters.problem(parameter, content, TextEncoding.UTF_8, shown(path)));
		}
		file.create(plan(path, new EditableText(bytes, TextEncoding.UTF_8)));
		touch(file);
		return file;
	}

	private EditedFile requireAbsent(WorkspacePath path, @Nullable String given, String exists) throws EditRefusal {
		EditedFile known = this.current.get(known(path));
		boolean present = (known != null) ? known.exists() : isThere(path);
		if (present) {
			throw new EditRefusal(WorkspaceErrorCode.FILE_EXISTS.code(),
					Phrase.of("'%s' exists%s.", shown(path),
							(known != null && !known.isOnDisk()) ? " by an earlier change of the same call" : ""),
					exists);
		}
		EditedFile file = EditedFile.absent(SeenVersion.now(path, given, this.context));
		put(path, file);
		return file;
	}

	private boolean isThere(WorkspacePath path) throws EditRefusal {
		WorkspaceResult<FileInfo> info = this.context.files().info(path);
		if (info instanceof WorkspaceResult.Failure<FileInfo> failure
				&& failure.code() != WorkspaceErrorCode.FILE_NOT_FOUND) {
			throw new EditRefusal(ToolResult.failure(failure));
		}
		return info.isOk();
	}

	/**
	 * Notes that a file is changed.
	 */
	void touch(EditedFile file) throws EditRefusal {
		if (!this.all.contains(file)) {
			this.all.add(file);
		}
		requireSize(this.all.stream().mapToLong(EditedFile::size).sum());
	}

	private void requireSize(long bytes) throws EditRefusal {
		if (bytes > this.options.maxFileBytes()) {
			throw new EditRefusal(WorkspaceErrorCode.TOO_LARGE.code(),
					Phrase.of("The files of the call have %,d bytes together, more than the %,d that can be changed "
							+ "at once.", bytes, this.options.maxFileBytes()),
					"Nothing was written. Make a call for each file, or for some of them.");
		}
	}

	/**
	 * Moves a file to a path where there is none.
	 */
	void move(EditedFile file, WorkspacePath target) throws EditRefusal {
		WorkspacePath source = file.path();
		if (target.startsWith(source)) {
			throw new EditRefusal(ToolError.INVALID_ARGUMENTS,
					Phrase.of("'%s' cannot be moved to '%s', which is %s.", shown(source), shown(target),
							target.equals(source) ? "its own path" : "below it"),
					"Nothing was changed. Give another target; to change the content only, leave the move out.");
		}
		requireAbsent(target, null,
				"Nothing was changed. A move replaces no file: give another target, or delete " + "that file first.");
		if (file.isOnDisk()) {
			this.structure.add(new WorkspaceChange.Move(source, target, WorkspaceChange.Overwrite.REFUSE,
					file.isMoved() ? null : file.expectedVersion()));
		}
		put(source, EditedFile.absent(SeenVersion.now(source, null, this.context)));
		file.moveTo(target);
		put(target, file);
		touch(file);
	}

	/**
	 * Deletes a file.
	 * @param store the trash that it is moved into
	 */
	void delete(EditedFile file, TrashStore store) throws EditRefusal {
		if (file.isMoved()) {
			throw new EditRefusal(ToolError.INVALID_ARGUMENTS,
					Phrase.of("'%s' is moved there by an earlier change of the same call.", shown(file.path())),
					"Nothing was changed. Delete '" + shown(file.origin()) + "', and leave the move out.");
		}
		if (file.isOnDisk()) {
			this.structure
				.add(new WorkspaceChange.Delete(file.path(), WorkspaceChange.Depth.SINGLE, file.expectedVersion()));
			if (!this.context.inTrial()) {
				Deletions known = Objects.requireNonNullElseGet(this.deletions,
						() -> new Deletions(this.context, store));
				known.add(file);
				this.deletions = known;
			}
		}
		file.delete();
		put(file.path(), file.isOnDisk() ? file : EditedFile.absent(SeenVersion.now(file.path(), null, this.context)));
		touch(file);
	}

	/**
	 * Returns the changes of the plan in their order.
	 */
	private List<WorkspaceChange> changes() {
		List<WorkspaceChange> changes = new ArrayList<>(this.structure);
		for (EditedFile file : this.all) {
			EditPlan plan = file.plan();
			if (plan != null && file.isChanged()) {
				String expected = file.isMoved() ? null
						: file.isOnDisk() ? file.expectedVersion() : WorkspaceChange.ABSENT;
				changes.add(new WorkspaceChange.Write(file.path(), plan.text().bytes(), expected));
			}
		}
		return changes;
	}

	/**
	 * Writes all changes, or none.
	 * @return the versions of the files afterwards
	 * @throws EditRefusal if the store refuses one of the changes
	 */
	Map<WorkspacePath, String> write() throws EditRefusal {
		List<WorkspaceChange> changes = changes();
		WorkspaceResult<ChangeReport> applied = (this.deletions != null) ? this.deletions.apply(changes)
				: this.context.files()
					.apply((changes.size() == 1) ? changes.get(0) : new WorkspaceChange.Batch(changes));
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			throw failed(failure);
		}
		this.structure.forEach(this::follow);
		Map<WorkspacePath, String> versions = new LinkedHashMap<>();
		for (ChangeReport.Line line : applied.value().lines()) {
			versions.put(line.path(), Objects.requireNonNullElse(line.version(), ""));
		}
		for (EditedFile file : this.all) {
			String version = versions.get(file.path());
			if (file.exists() && version != null && (file.seen().version() != null || !file.isOnDisk())) {
				record(file, version);
			}
		}
		return versions;
	}

	/**
	 * Lets the session know the moved and deleted files.
	 */
	private void follow(WorkspaceChange change) {
		if (change instanceof WorkspaceChange.Move move) {
			this.context.session().moved(move.path(), move.target(), this.context.files());
		}
		else if (change instanceof WorkspaceChange.Delete delete) {
			this.context.session().moved(delete.path(), null, this.context.files());
		}
	}

	/**
	 * Returns the number of older deletions that left the trash.
	 */
	int dropped() {
		return (this.deletions != null) ? this.deletions.dropped() : 0;
	}

	/**
	 * Remembers a file that the session knows as a whole: a file that it has not read is
	 * known in part only. This is not enough for Write to replace it.
	 */
	private void record(EditedFile file, String version) {
		EditPlan plan = file.plan();
		ReadLedger ledger = this.context.session().ledger();
		WorkspacePath known = ledger.known(file.path(), this.context.files());
		if (plan != null) {
			ledger.record(known, version, plan.text().bytes());
		}
		else {
			ledger.record(known, version);
		}
	}

	private EditRefusal failed(WorkspaceResult.Failure<ChangeReport> failure) {
		if (failure.code() == WorkspaceErrorCode.STALE_READ) {
			for (EditedFile file : this.all) {
				WholeFile before = file.before();
				if (before != null
						&& WholeFile.read(this.context.files(), file.origin(),
								this.options.maxFileBytes()) instanceof WorkspaceResult.Ok<WholeFile> now
						&& (this.all.size() == 1 || !now.value().version().equals(before.version()))) {
					return new EditRefusal(file.seen()
						.stale(shown(file.origin()), now.value(), this.options.maxDiffLines(),
								this.terms.takesVersion()));
				}
			}
		}
		return new EditRefusal(ToolResult.failure(failure));
	}

	String shown(WorkspacePath path) {
		return this.context.display(path);
	}

}

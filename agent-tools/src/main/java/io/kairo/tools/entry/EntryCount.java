package io.kairo.tools.entry;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.tools.text.Phrase;

/**
 * The type of an entry and the files in it. Immutable.
 *
 * @param type its type
 * @param files the number of regular files: 1 for a file
 * @param bytes the sum of their sizes
 * @param complete whether everything was counted
 */
record EntryCount(FileType type, long files, long bytes, boolean complete) {

	/** The count of an entry that cannot be read, such as a link out of the workspace. */
	private static final EntryCount OTHER = new EntryCount(FileType.OTHER, 0, 0, false);

	/**
	 * Counts the files of an entry. A link is not followed.
	 * @param over returns whether to stop
	 */
	static EntryCount of(WorkspacePath path, WorkspaceFiles files, BooleanSupplier over) {
		if (!(files.info(path) instanceof WorkspaceResult.Ok<FileInfo> info)) {
			return OTHER;
		}
		return switch (info.value().type()) {
			case FILE -> new EntryCount(FileType.FILE, 1, info.value().size(), true);
			case DIRECTORY -> isLink(path, files) ? OTHER : walk(path, files, over);
			default -> OTHER;
		};
	}

	private static boolean isLink(WorkspacePath path, WorkspaceFiles files) {
		return !path.isRoot() && files.list(path.parent(), 1) instanceof WorkspaceResult.Ok<FileListing> listing
				&& listing.value()
					.entries()
					.stream()
					.anyMatch((entry) -> entry.type() == FileType.LINK && entry.path().name().equals(path.name()));
	}

	private static EntryCount walk(WorkspacePath path, WorkspaceFiles files, BooleanSupplier over) {
		LongAdder count = new LongAdder();
		LongAdder bytes = new LongAdder();
		WorkspaceResult<WalkReport> walk = files.walk(path, new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				return over.getAsBoolean() ? Next.STOP : Next.CONTINUE;
			}

			@Override
			public Next file(Entry file) {
				count.increment();
				bytes.add(file.size());
				return Next.CONTINUE;
			}

		});
		boolean complete = walk.isOk() && !walk.value().stopped() && walk.value().unreadable() == 0;
		return new EntryCount(FileType.DIRECTORY, count.sum(), bytes.sum(), complete);
	}

	/**
	 * Adds the counts to the data of a result.
	 */
	void describe(Map<String, Object> data) {
		if (this.type != FileType.OTHER) {
			data.put("type", (this.type == FileType.FILE) ? "file" : "directory");
		}
		if (this.complete) {
			data.put("files", this.files);
			data.put("bytes", this.bytes);
		}
	}

	/**
	 * Returns the counts for the text of a result, with a space before them; empty if
	 * they are not known.
	 */
	String phrase() {
		if (!this.complete) {
			return "";
		}
		return (this.type == FileType.FILE) ? Phrase.of(" (%s)", Phrase.count(this.bytes, "byte"))
				: Phrase.of(" (%s, %s)", Phrase.count(this.files, "file"), Phrase.count(this.bytes, "byte"));
	}

}

package io.kairo.tools.trash;

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
import org.jspecify.annotations.Nullable;

/**
 * The type and the size of an entry that is to be deleted. No link is followed.
 *
 * @param type its type
 * @param files number of regular files
 * @param entries number of files, directories and links, itself included
 * @param bytes sum of the sizes of the files
 * @param unknown the reason why the size is not known, null if it is
 */
record TrashContent(FileType type, long files, long entries, long bytes, @Nullable String unknown) {

	/**
	 * Measures an entry.
	 * @param over returns whether to give up
	 */
	static TrashContent of(WorkspacePath path, WorkspaceFiles files, BooleanSupplier over) {
		FileInfo info = find(path, files);
		if (info == null) {
			return new TrashContent(FileType.OTHER, 0, 1, 0, null);
		}
		return switch (info.type()) {
			case FILE -> new TrashContent(FileType.FILE, 1, 1, info.size(), null);
			case DIRECTORY -> walk(path, files, over);
			default -> new TrashContent(info.type(), 0, 1, 0, null);
		};
	}

	/**
	 * Finds an entry without following a link.
	 * @return the entry, null if there is none, or none that can be examined
	 */
	private static @Nullable FileInfo find(WorkspacePath path, WorkspaceFiles files) {
		if (!path.isRoot() && files.list(path.parent(), 1) instanceof WorkspaceResult.Ok<FileListing> listing) {
			for (FileInfo entry : listing.value().entries()) {
				if (entry.path().name().equals(path.name())) {
					return entry;
				}
			}
		}
		return (files.info(path) instanceof WorkspaceResult.Ok<FileInfo> info) ? info.value() : null;
	}

	private static TrashContent walk(WorkspacePath path, WorkspaceFiles files, BooleanSupplier over) {
		LongAdder bytes = new LongAdder();
		WorkspaceResult<WalkReport> walk = files.walk(path, new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				return over.getAsBoolean() ? Next.STOP : Next.CONTINUE;
			}

			@Override
			public Next file(Entry file) {
				bytes.add(file.size());
				return Next.CONTINUE;
			}

		});
		if (!(walk instanceof WorkspaceResult.Ok<WalkReport> ok)) {
			return new TrashContent(FileType.DIRECTORY, 0, 1, 0, "it cannot be read");
		}
		WalkReport report = ok.value();
		return new TrashContent(FileType.DIRECTORY, report.files(),
				report.files() + report.directories() + report.links() + report.others(), bytes.sum(),
				report.stopped() ? "it has too many entries to be counted in time"
						: (report.unreadable() > 0) ? "a part of it cannot be read" : null);
	}

	/**
	 * Returns the number of entries of a directory, 0 if it cannot be listed.
	 */
	static long count(WorkspacePath directory, WorkspaceFiles files) {
		return (files.list(directory, 1) instanceof WorkspaceResult.Ok<FileListing> listing)
				? listing.value().entries().size() + listing.value().omitted() : 0;
	}

}

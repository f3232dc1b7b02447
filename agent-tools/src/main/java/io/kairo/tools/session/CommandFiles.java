package io.kairo.tools.session;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace and, for reading, the temporary files that the commands of the
 * session share, under the paths that commands have for them. The sandbox is asked for
 * them when a path lies outside of the workspace. Safe for use by several threads.
 */
public final class CommandFiles extends ForwardingWorkspaceFiles {

	private final Supplier<@Nullable SessionDirectory> sandbox;

	private volatile @Nullable Temporary temporary;

	/**
	 * Creates the files.
	 * @param files the files of the workspace
	 * @param sandbox finds the directory for temporary files; null if there is none
	 */
	public CommandFiles(WorkspaceFiles files, Supplier<@Nullable SessionDirectory> sandbox) {
		super(files);
		this.sandbox = sandbox;
	}

	private @Nullable Temporary of(WorkspacePath path) {
		if (path.root() == root().root()) {
			return null;
		}
		Temporary found = this.temporary;
		return (found != null && path.root().equals(found.files().root().root())) ? found : null;
	}

	private WorkspaceFiles spelling(WorkspacePath path) {
		Temporary found = of(path);
		return (found != null) ? found.files() : delegate();
	}

	private <T> WorkspaceResult<T> in(WorkspacePath path, Function<WorkspaceFiles, WorkspaceResult<T>> operation) {
		Temporary found = of(path);
		return (found != null) ? found.perform(path, operation) : operation.apply(delegate());
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		try {
			return delegate().resolve(argument, cwd);
		}
		catch (WorkspacePathException ex) {
			WorkspacePath found = (ex.code() == WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED) ? find(argument) : null;
			if (found == null) {
				throw ex;
			}
			return found;
		}
	}

	private @Nullable WorkspacePath find(String argument) {
		Temporary found = this.temporary;
		SessionDirectory directory = argument.startsWith("/") ? this.sandbox.get() : null;
		if (directory != null && (found == null || !found.directory().source().equals(directory.source()))) {
			found = new Temporary(directory, Opener.FACTORY.openAs(Path.of(directory.target()), directory.source()));
			this.temporary = found;
		}
		try {
			return (found != null && directory != null) ? found.files().resolve(argument, found.files().root()) : null;
		}
		catch (WorkspacePathException ex) {
			return null;
		}
	}

	@Override
	public String display(WorkspacePath path) {
		return spelling(path).display(path);
	}

	@Override
	public String display(WorkspacePath path, WorkspacePath cwd) {
		Temporary found = of(path);
		return (found != null) ? found.files().display(path) : delegate().display(path, cwd);
	}

	@Override
	public WorkspacePath identity(WorkspacePath path) {
		return (of(path) != null) ? path : delegate().identity(path);
	}

	@Override
	public WorkspacePath followed(WorkspacePath path, boolean entry) {
		return spelling(path).followed(path, entry);
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		return in(path, (files) -> files.read(path, offset, length));
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return in(path, (files) -> files.info(path));
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		return in(directory, (files) -> files.list(directory, depth));
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		return in(directory, (files) -> files.walk(directory, visitor));
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		for (WorkspaceChange leaf : change.leaves()) {
			for (WorkspacePath path : leaf.paths()) {
				if (of(path) != null) {
					return WorkspaceResult.failure(WorkspaceErrorCode.READ_ONLY, WorkspacePath.quote(display(path))
							+ " is a temporary file of commands: only commands change and copy those");
				}
			}
		}
		return delegate().apply(change);
	}

	@Override
	public @Nullable WorkspaceFiles including(Path directory) {
		WorkspaceFiles wider = delegate().including(directory);
		if (wider == null) {
			return null;
		}
		CommandFiles files = new CommandFiles(wider, this.sandbox);
		files.temporary = this.temporary;
		return files;
	}

	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		WorkspaceFiles relocated = delegate().relocated(directories);
		return (relocated != null) ? new CommandFiles(relocated, this.sandbox) : null;
	}

	/**
	 * The temporary files of the session.
	 *
	 * @param directory the directory as the sandbox found it
	 * @param files its files
	 */
	private record Temporary(SessionDirectory directory, WorkspaceFiles files) {

		<T> WorkspaceResult<T> perform(WorkspacePath path, Function<WorkspaceFiles, WorkspaceResult<T>> operation) {
			WorkspaceResult<T> result = operation.apply(this.files);
			return this.directory.intact().getAsBoolean() ? result
					: WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND,
							WorkspacePath.quote(this.files.display(path))
									+ " is gone: the temporary files of the session were removed");
		}

	}

	/**
	 * Opens the directories of sessions, on first use. Their paths are not for direct
	 * system calls, which follow no link of the system.
	 */
	private static final class Opener {

		static final LocalWorkspaceFilesFactory FACTORY = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withNativeCalls(false));

	}

}

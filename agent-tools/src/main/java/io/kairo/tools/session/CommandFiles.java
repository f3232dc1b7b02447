package io.kairo.tools.session;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
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
 * them when a path lies outside of the workspace. Where this machine does not reach them,
 * commands of the session read them. Safe for use by several threads.
 */
public final class CommandFiles extends ForwardingWorkspaceFiles {

	private final Session session;

	/** By the roots of their files. */
	private final Map<Path, Temporary> temporary = new ConcurrentHashMap<>();

	/**
	 * Creates the files.
	 * @param files the files of the workspace
	 * @param sandbox the sandbox that runs the commands
	 * @param tenant the owner of the session
	 * @param id the id of the session
	 * @param last returns the last command of the session for files of it; null if there
	 * was none
	 */
	public CommandFiles(WorkspaceFiles files, ExecutionSandbox sandbox, TenantContext tenant, String id,
			Function<WorkspaceFiles, @Nullable SandboxRequest> last) {
		this(files, new Session(sandbox, tenant, id, last));
	}

	private CommandFiles(WorkspaceFiles files, Session session) {
		super(files);
		this.session = session;
	}

	private @Nullable Temporary of(WorkspacePath path) {
		return (path.root() == root().root()) ? null : this.temporary.get(path.root());
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
		if (!argument.startsWith("/")) {
			return null;
		}
		try {
			WorkspacePath shown = resolved(argument, shown());
			SandboxRequest last = this.session.last().apply(delegate());
			return (shown != null || last == null) ? shown
					: resolved(argument, Temporary.of(SessionFiles.containing(argument, this.session.sandbox(), last)));
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	/**
	 * Returns the directory that this machine reaches.
	 */
	private @Nullable Temporary shown() {
		SessionDirectory directory = this.session.sandbox().temporaryFiles(this.session.tenant(), this.session.id());
		if (directory == null) {
			return null;
		}
		Path target = Path.of(directory.target());
		Temporary known = this.temporary.get(target);
		return (known != null && directory.source().equals(known.source())) ? known : new Temporary(directory.source(),
				directory.intact(), Opener.FACTORY.openAs(target, directory.source()));
	}

	private @Nullable WorkspacePath resolved(String argument, @Nullable Temporary found) {
		if (found == null) {
			return null;
		}
		try {
			WorkspacePath path = found.files().resolve(argument, found.files().root());
			this.temporary.put(path.root(), found);
			return path;
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
		CommandFiles files = new CommandFiles(wider, this.session);
		files.temporary.putAll(this.temporary);
		return files;
	}

	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		WorkspaceFiles relocated = delegate().relocated(directories);
		return (relocated != null) ? new CommandFiles(relocated, this.session) : null;
	}

	/**
	 * The session of the commands.
	 *
	 * @param sandbox the sandbox
	 * @param tenant the owner
	 * @param id the id
	 * @param last returns the last command for files, null if there was none
	 */
	private record Session(ExecutionSandbox sandbox, TenantContext tenant, String id,
			Function<WorkspaceFiles, @Nullable SandboxRequest> last) {

	}

	/**
	 * A directory with temporary files of the session.
	 *
	 * @param source the directory as the sandbox found it, null if only commands reach it
	 * @param intact whether the source has led to the directory until now
	 * @param files its files
	 */
	private record Temporary(@Nullable Path source, BooleanSupplier intact, WorkspaceFiles files) {

		static @Nullable Temporary of(@Nullable SessionFiles files) {
			return (files != null) ? new Temporary(null, () -> true, files) : null;
		}

		<T> WorkspaceResult<T> perform(WorkspacePath path, Function<WorkspaceFiles, WorkspaceResult<T>> operation) {
			WorkspaceResult<T> result = operation.apply(this.files);
			return this.intact.getAsBoolean() ? result
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

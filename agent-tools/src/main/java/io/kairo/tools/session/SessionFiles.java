package io.kairo.tools.session;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory that the commands of a session share and that only they reach.
 * They are read by commands of the session. Safe for use by several threads.
 */
final class SessionFiles implements WorkspaceFiles {

	/** Bytes to read at once of a file that is read from its start to its end. */
	private static final int AHEAD = 4 << 20;

	private static final int MAX_ENTRIES = 10_000;

	private static final int MAX_LISTING = 4 << 20;

	/** Prints the attributes of the file, and a number of bytes from a start on. */
	private static final String READ = """
			if [ -d "$r" ]; then printf 'OK '; stat -c '%f %s %Y %i-%y-%z' "$r"; exit; fi
			[ -f "$r" ] || fail UNSUPPORTED_FILE_TYPE
			[ -r "$r" ] || fail PERMISSION_DENIED
			exec 3< "$r" || exit 1
			inside "$(readlink /proc/self/fd/3)"
			printf 'OK '
			stat -L -c '%f %s %Y %i-%y-%z' /proc/self/fd/3 || exit 1
			tail -c +$start <&3 | head -c $count
			""";

	/** Prints the attributes and the names of the entries. */
	private static final String LIST = """
			[ -d "$r" ] || fail NOT_A_DIRECTORY
			[ -r "$r" ] && cd -P "$r" || fail PERMISSION_DENIED
			inside "$(pwd -P)"
			echo 'OK '
			find . -mindepth 1 -maxdepth $depth \\( -path '*
			*' -exec echo not a line \\; -o -exec stat -c '%f %s %Y %n' {} + \\)
			[ $? -lt 126 ]
			""";

	private final FileCommand command;

	private final WorkspacePath root;

	/** What was read last, for the parts that follow. */
	private volatile @Nullable FoundFile read;

	private SessionFiles(FileCommand command, WorkspacePath root) {
		this.command = command;
		this.root = root;
	}

	/**
	 * Finds the shared directory of a path.
	 * @param argument an absolute path
	 * @param last the last command of the session
	 * @return the files of the directory, null if there is none
	 * @throws java.nio.file.InvalidPathException if the argument is not a path
	 */
	static @Nullable SessionFiles containing(String argument, ExecutionSandbox sandbox, SandboxRequest last) {
		Path path = Path.of(argument).normalize();
		List<Path> shared = shared(sandbox, last);
		return shared.stream()
			.filter(path::startsWith)
			.findFirst()
			.map((each) -> new SessionFiles(new FileCommand(sandbox, last, shared), new WorkspacePath(each, "")))
			.orElse(null);
	}

	/**
	 * Returns the shared directories that have nothing to do with what is mounted.
	 */
	private static List<Path> shared(ExecutionSandbox sandbox, SandboxRequest last) {
		String workspace = Objects.requireNonNullElse(last.attributes().workspaceTarget(),
				last.workspaceRoot().toString());
		List<Path> mounted = Stream.concat(Stream.of(workspace), last.attributes().mounts().stream().map(Mount::target))
			.map(Path::of)
			.toList();
		return sandbox.sharedDirectories(last.tenant())
			.stream()
			.map(Path::of)
			.filter(Path::isAbsolute)
			.filter((each) -> mounted.stream().noneMatch((other) -> other.startsWith(each) || each.startsWith(other)))
			.toList();
	}

	@Override
	public WorkspacePath root() {
		return this.root;
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		WorkspacePath path = locate(cwd.toPath().resolve(argument));
		if (path == null) {
			throw new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
					"The path " + WorkspacePath.quote(argument) + " is not below '" + this.root + "'");
		}
		return path;
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		FoundFile known = this.read;
		if (offset > 0 && known != null && known.has(path, offset, length)) {
			return WorkspaceResult.ok(known.content(offset, length));
		}
		// the version of a small file is that of its whole content
		long from = (offset < FileContent.HASHED_SIZE) ? 0 : offset;
		WorkspaceResult<FoundFile> found = find(path, from,
				Math.max(offset - from + length, (from > 0) ? AHEAD : FileContent.HASHED_SIZE));
		if (found instanceof WorkspaceResult.Ok<FoundFile> ok) {
			if (ok.value().type() == FileType.DIRECTORY) {
				return FileCommand.failure(path, WorkspaceErrorCode.IS_A_DIRECTORY);
			}
			if (from > 0 && ok.value().size() <= FileContent.HASHED_SIZE) {
				return find(path, 0, FileContent.HASHED_SIZE).map((file) -> file.content(offset, length));
			}
			this.read = ok.value();
		}
		return found.map((file) -> file.content(offset, length));
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return find(path, 0, FileContent.HASHED_SIZE).map(FoundFile::info);
	}

	private WorkspaceResult<FoundFile> find(WorkspacePath path, long from, long count) {
		WorkspaceResult<FileCommand.Output> read = this.command.run(path,
				"start=" + (from + 1) + " count=" + count + "\n" + READ, count);
		if (read instanceof WorkspaceResult.Failure<FileCommand.Output> failure) {
			return failure.cast();
		}
		FoundFile found = FoundFile.of(path, read.value().head(), from, read.value().bytes());
		return (found != null) ? WorkspaceResult.ok(found)
				: FileCommand.failed(path, "a program of the sandbox does not describe it");
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		return this.command.run(directory, "depth=" + depth + "\n" + LIST, MAX_LISTING)
			.map((output) -> listing(directory, output.bytes()));
	}

	/**
	 * Reads the lines of a listing, which may be a lie.
	 */
	static FileListing listing(WorkspacePath directory, byte[] lines) {
		List<FileInfo> entries = new ArrayList<>();
		long omitted = 0;
		for (String line : new String(lines, StandardCharsets.UTF_8).split("\n", -1)) {
			int name = line.indexOf(" ./");
			WorkspacePath path = (name > 0) ? below(directory, line.substring(name + 3)) : null;
			FoundFile entry = (path != null) ? FoundFile.of(path, line, 0, new byte[0]) : null;
			if (entry != null && entries.size() < MAX_ENTRIES) {
				entries.add(entry.entry());
			}
			else if (!line.isEmpty()) {
				omitted++;
			}
		}
		entries.sort((one, other) -> one.path().compareTo(other.path()));
		return new FileListing(directory, entries, omitted);
	}

	/**
	 * Returns the path of an entry, null if it cannot be one.
	 */
	private static @Nullable WorkspacePath below(WorkspacePath directory, String name) {
		try {
			WorkspacePath path = new WorkspacePath(directory.root(),
					directory.isRoot() ? name : directory.relative() + "/" + name);
			// not so if the locale of the application has other characters
			boolean hasPath = path.toPath().startsWith(directory.toPath());
			return (hasPath && name.indexOf('\uFFFD') < 0) ? path : null;
		}
		catch (WorkspacePathException | InvalidPathException ex) {
			return null;
		}
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		return FileCommand.failed(directory,
				"only commands search a directory of theirs, with grep -rn or find; a single file can be searched");
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		throw new IllegalArgumentException("The files of commands are only read: change them by a command");
	}

}

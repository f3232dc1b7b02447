package io.kairo.api.workspace;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The files of one workspace, confined to its roots. Safe for use by several threads.
 * <p>
 * There are two error channels. A malformed argument throws
 * {@link WorkspacePathException} or {@link NullPointerException}. The failure of an
 * operation on a valid path, such as a missing file or a link that points outside, is a
 * {@link WorkspaceResult}.
 * <p>
 * A store implements the methods with a {@link WorkspacePath}. The methods with a
 * {@code String} are a convenience for code that treats a workspace as a map from logical
 * paths to UTF-8 texts: they accept a path in any spelling, convert it to the
 * {@linkplain WorkspacePath#canonicalize(String) canonical form} below the primary root,
 * and return the canonical form. A decorator overrides {@link #apply(WorkspaceChange)}
 * and keeps the String methods as they are.
 */
public interface WorkspaceFiles {

	/**
	 * Maximum size, in bytes, of a file read by the String methods: 64 MiB.
	 */
	int MAX_TEXT_SIZE = 64 << 20;

	/**
	 * Returns the primary root.
	 * @return a path whose {@link WorkspacePath#isRoot()} is true
	 */
	WorkspacePath root();

	/**
	 * Converts a path written by a model or a user to a path of this workspace, under the
	 * path policy of the store. This is the only conversion of a text from a model or
	 * user. A store checks every path again when it opens it, since a path may come from
	 * elsewhere. No file is accessed; links are checked when the path is opened.
	 * @param argument the path as it was written
	 * @param cwd the base directory of a relative argument, a path of this store
	 * @return the path; possibly a root itself
	 * @throws NullPointerException if an argument is null
	 * @throws WorkspacePathException if the argument points out of the workspace
	 * ({@code path_traversal_blocked}) or cannot be a path ({@code invalid_path}), or if
	 * {@code cwd} does not belong to this store
	 */
	WorkspacePath resolve(String argument, WorkspacePath cwd);

	/**
	 * Spells a path so that {@link #resolve(String, WorkspacePath)} returns it for any
	 * current directory.
	 * @param path a path of this store
	 * @return an absolute path, if the path policy has absolute paths
	 */
	default String display(WorkspacePath path) {
		return path.toPath().toString();
	}

	/**
	 * Spells a path as it appears in results, so that
	 * {@link #resolve(String, WorkspacePath)} returns it for the given current directory.
	 * @param path a path of this store
	 * @param cwd the base directory of relative paths
	 * @return relative to {@code cwd} below it ({@code .} for itself), else absolute
	 */
	default String display(WorkspacePath path, WorkspacePath cwd) {
		if (path.equals(cwd)) {
			return ".";
		}
		if (path.startsWith(cwd)) {
			return cwd.isRoot() ? path.relative() : path.relative().substring(cwd.relative().length() + 1);
		}
		return display(path);
	}

	/**
	 * Finds the path of this workspace for a host path, such as the final working
	 * directory of a command. No file is accessed. This is not a gate for paths written
	 * by a model.
	 * @param hostPath an absolute host path
	 * @return the path, null if it is outside the workspace or has a name that cannot be
	 * part of a {@link WorkspacePath}
	 */
	default @Nullable WorkspacePath locate(Path hostPath) {
		Path normalized = hostPath.normalize();
		if (!normalized.startsWith(root().root())) {
			return null;
		}
		String relative = root().root().relativize(normalized).toString();
		try {
			return new WorkspacePath(root().root(), relative.replace(File.separatorChar, '/'));
		}
		catch (WorkspacePathException ex) {
			return null;
		}
	}

	/**
	 * Returns the identity of a path: the same for every spelling of a path that the
	 * store treats as one, such as {@code README.md} and {@code readme.md} where names
	 * ignore case. State about a file, such as the version that a session has read, is
	 * kept by identity. Links are not followed: a link and its target differ.
	 * @param path a path of this store
	 * @return a path for comparisons, not to be displayed; its own identity
	 * @throws IllegalArgumentException if the path does not belong to this store
	 */
	default WorkspacePath identity(WorkspacePath path) {
		return path;
	}

	/**
	 * Returns the path that a change affects once the links in a path are followed.
	 * @param path a path of this store
	 * @param entry whether the change is of the entry itself, as a deletion is, so that a
	 * link as the last name is not followed
	 * @return the path without links, the same path if it cannot be followed; by default
	 * the same path
	 * @throws IllegalArgumentException if the path does not belong to this store
	 */
	default WorkspacePath followed(WorkspacePath path, boolean entry) {
		return path;
	}

	/**
	 * Reads a range of a regular file.
	 * @param path the file
	 * @param offset the start of the range, in bytes, at least 0; beyond the end no byte
	 * is read
	 * @param length the maximum number of bytes, at least 0
	 * @return the bytes, or a failure such as {@code file_not_found},
	 * {@code is_a_directory}, {@code path_traversal_blocked}, {@code permission_denied}
	 * or {@code unsupported_file_type}
	 * @throws IllegalArgumentException if the offset or the length is negative, or the
	 * path does not belong to this store
	 */
	WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length);

	/**
	 * Describes an entry. A link that stays inside the workspace is followed.
	 * @param path the entry
	 * @return its attributes, or a failure as for reading
	 * @throws IllegalArgumentException if the path does not belong to this store
	 */
	WorkspaceResult<FileInfo> info(WorkspacePath path);

	/**
	 * Lists a directory. Links in it are not followed.
	 * @param directory the directory
	 * @param depth number of levels to list, at least 1
	 * @return the entries, or a failure such as {@code file_not_found} or
	 * {@code not_a_directory}; a root that does not exist yet is empty
	 * @throws IllegalArgumentException if the depth is below 1, or the path does not
	 * belong to this store
	 */
	WorkspaceResult<FileListing> list(WorkspacePath directory, int depth);

	/**
	 * Visits every file below a directory. Links are not followed.
	 * @param directory the directory
	 * @param visitor receives the files, possibly from several threads at once
	 * @return the counts, or a failure such as {@code file_not_found} or
	 * {@code not_a_directory}; a root that does not exist yet is empty
	 * @throws IllegalArgumentException if the path does not belong to this store
	 */
	WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor);

	/**
	 * Applies a change. This is the only method that writes.
	 * @param change the change
	 * @return the effects of the change, or a failure; after a failure nothing is changed
	 * @throws IllegalArgumentException if a path does not belong to this store
	 */
	WorkspaceResult<ChangeReport> apply(WorkspaceChange change);

	/**
	 * Returns the write policy of {@link #apply(WorkspaceChange)}, so that code changing
	 * files in another way, such as a sandbox that runs a command, can enforce it too.
	 * @return the policy of the store, possibly tightened by a decorator; by default
	 * {@link WritePolicy#ALLOW_ALL}
	 */
	default WritePolicy writePolicy() {
		return WritePolicy.ALLOW_ALL;
	}

	/**
	 * Returns these files with a directory of the application as a further root, so that
	 * changes can move entries out of the workspace and back, with their links and modes
	 * and without a copy where both are on one file system. The write policy, the quota
	 * and the other rules of this store hold in the workspace as before; paths of the
	 * further root are accepted in addition, but have no spelling. The result is for the
	 * application alone: it must not be given to an agent.
	 * @param directory the absolute path of an existing directory on this machine,
	 * outside of every workspace, which no other user can enter
	 * @return the files; null, the default, if the store is not on this machine, or if a
	 * decorator does not apply to them
	 */
	default @Nullable WorkspaceFiles including(Path directory) {
		return null;
	}

	/**
	 * Returns these files with other directories of this machine in the place of the
	 * roots. Paths, their spellings and the rules of this store stay the same.
	 * @param directories the absolute path of an existing directory for each root; empty
	 * for the files as they were before they were relocated
	 * @return the files; null, the default, if the store is not on this machine, or if a
	 * decorator does not apply to them
	 */
	default @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		return null;
	}

	/**
	 * Returns the directory of this machine in which commands find the files of a root.
	 * @param root the path of a root, or another name of it
	 * @return the directory that took its place, by default the same path
	 */
	default Path location(Path root) {
		return root;
	}

	/**
	 * Returns the usage of the fullest root against its quota. Files written by commands
	 * are included once they have been counted, by a walk that takes only a small part of
	 * the time.
	 * @return the usage, null if there is no quota or the usage cannot be counted
	 */
	default @Nullable WorkspaceUsage usage() {
		return null;
	}

	/**
	 * Reads a whole file as UTF-8.
	 * @param path a logical path in any spelling
	 * @return the text, or a failure such as {@code file_not_found}, {@code too_large}
	 * or, if the bytes are not UTF-8, {@code unsupported_file_type}
	 * @throws WorkspacePathException if the path is malformed
	 */
	default WorkspaceResult<ReadFileResult> tryReadFile(String path) {
		WorkspaceResult<FileContent> content = WorkspaceText.readWhole(this, logical(path));
		if (content instanceof WorkspaceResult.Failure<FileContent> failure) {
			return failure.cast();
		}
		return WorkspaceText.decode(content.value());
	}

	/**
	 * Reads a whole file as bytes.
	 * @param path a logical path in any spelling
	 * @return the bytes, or a failure such as {@code file_not_found} or {@code too_large}
	 * @throws WorkspacePathException if the path is malformed
	 */
	default WorkspaceResult<byte[]> tryReadBytes(String path) {
		return WorkspaceText.readWhole(this, logical(path)).map(FileContent::bytes);
	}

	/**
	 * Writes a whole file as UTF-8, creating the file and its parents if they are
	 * missing.
	 * @param path a logical path in any spelling
	 * @param content the new text
	 * @return the path of the file, or a failure such as {@code read_only} or, if the
	 * text has an unpaired surrogate, {@code unsupported_file_type}
	 * @throws WorkspacePathException if the path is malformed
	 */
	default WorkspaceResult<WriteFileResult> tryWriteFile(String path, String content) {
		WorkspacePath file = logical(path);
		byte[] bytes = WorkspaceText.encode(content);
		if (bytes == null) {
			return WorkspaceText.notEncodable(file);
		}
		return apply(new WorkspaceChange.Write(file, bytes)).map((report) -> new WriteFileResult(file.relative()));
	}

	/**
	 * Returns whether a regular file exists inside the workspace.
	 * @param path a logical path in any spelling
	 * @return false also for a directory
	 * @throws WorkspacePathException if the path is malformed
	 */
	default boolean fileExists(String path) {
		return info(logical(path)) instanceof WorkspaceResult.Ok<FileInfo> ok && ok.value().type() == FileType.FILE;
	}

	/**
	 * Returns the canonical paths of all files below the primary root that these methods
	 * can open. A path that is not its own canonical form, such as one with a backslash
	 * or outer white space, is left out; {@link #listDirectory(String, int)} counts it.
	 * @return the paths in the order of {@link WorkspacePath#PATH_COMPARATOR}, or a
	 * failure
	 */
	default WorkspaceResult<List<String>> getFilePaths() {
		List<String> paths = Collections.synchronizedList(new ArrayList<>());
		return walk(root(), (file) -> {
			if (WorkspaceText.isLogical(this, file.path())) {
				paths.add(file.path().relative());
			}
			return WorkspaceVisitor.Next.CONTINUE;
		}).map((report) -> paths.stream().sorted(WorkspacePath.PATH_COMPARATOR).toList());
	}

	/**
	 * Lists a directory two levels deep, as {@link #listDirectory(String, int)} does.
	 * @param directory a logical path in any spelling; empty, {@code .} and {@code /}
	 * denote the root
	 * @return the entries, or a failure
	 * @throws WorkspacePathException if the path is malformed
	 */
	default WorkspaceResult<FileListing> listDirectory(String directory) {
		return listDirectory(directory, 2);
	}

	/**
	 * Lists a directory. Entries whose paths are not their own canonical forms are
	 * counted as omitted, since these methods cannot open them.
	 * @param directory a logical path in any spelling; empty, {@code .} and {@code /}
	 * denote the root
	 * @param maxDepth number of levels to list, at least 1
	 * @return the entries, or a failure
	 * @throws WorkspacePathException if the path is malformed
	 */
	default WorkspaceResult<FileListing> listDirectory(String directory, int maxDepth) {
		String canonical = WorkspacePath.canonicalizeDirectory(directory);
		return list(canonical.isEmpty() ? root() : WorkspaceText.resolve(this, directory, canonical), maxDepth)
			.map((listing) -> WorkspaceText.logical(this, listing));
	}

	/**
	 * Replaces the text of a file if it is the expected one. With another text the result
	 * is a success whose {@link CompareExchangeResult#exchanged()} is false; a missing
	 * file is a failure.
	 * @param path a logical path in any spelling
	 * @param expectedContent the expected text; one with an unpaired surrogate matches no
	 * file
	 * @param newContent the new text
	 * @return the outcome, or a failure such as {@code file_not_found} or, if the new
	 * text has an unpaired surrogate, {@code unsupported_file_type}
	 * @throws WorkspacePathException if the path is malformed
	 */
	default WorkspaceResult<CompareExchangeResult> tryCompareExchange(String path, String expectedContent,
			String newContent) {
		WorkspacePath file = logical(path);
		byte[] expected = WorkspaceText.encode(expectedContent);
		byte[] replacement = WorkspaceText.encode(newContent);
		if (replacement == null) {
			return WorkspaceText.notEncodable(file);
		}
		if (expected == null) {
			return WorkspaceText.mismatch(this, file);
		}
		return apply(new WorkspaceChange.CompareExchange(file, expected, replacement)).map((report) -> report.applied()
				? new CompareExchangeResult(true, file.relative(), null) : WorkspaceText.mismatch(file));
	}

	private WorkspacePath logical(String path) {
		WorkspacePath file = WorkspaceText.resolve(this, path, WorkspacePath.canonicalize(path));
		if (file.isRoot()) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The path " + WorkspacePath.quote(path) + " names no file: give a path below the workspace root");
		}
		return file;
	}

}

package io.kairo.api.workspace;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The files of one workspace, confined to its roots. Safe for use by several threads.
 * <p>
 * There are two error channels. A structurally bad argument throws
 * {@link WorkspacePathException} or {@link NullPointerException}; whatever can happen to
 * a good path, such as a missing file or a link that leads out, is a
 * {@link WorkspaceResult}.
 * <p>
 * The methods on {@link WorkspacePath} are what a store implements. The methods on
 * {@code String} are a convenience over them for code that thinks of a workspace as a map
 * from logical paths to UTF-8 texts: they take a path in any spelling, bring it into
 * {@linkplain WorkspacePath#canonicalize(String) canonical form} below the primary root,
 * and return the canonical form. A decorator overrides {@link #apply(WorkspaceChange)}
 * and leaves the String methods as they are.
 *
 * @since 0.1.0
 */
public interface WorkspaceFiles {

	/**
	 * The largest file, in bytes, that the String methods read: 64 MiB.
	 */
	int MAX_TEXT_SIZE = 64 << 20;

	/**
	 * Returns the primary root.
	 * @return a path whose {@link WorkspacePath#isRoot()} is true
	 */
	WorkspacePath root();

	/**
	 * Brings a path that a model or a user wrote to a path of this workspace, under the
	 * path policy of the store. This is the one gate: nothing is opened that did not pass
	 * it. Touches no file; whether links lead out is found when the path is opened.
	 * @param argument the path as it was written
	 * @param cwd the directory that a relative argument starts from, a path of this store
	 * @return the path; possibly a root itself
	 * @throws NullPointerException if an argument is null
	 * @throws WorkspacePathException if the argument leads out of the workspace
	 * ({@code path_traversal_blocked}) or cannot be a path ({@code invalid_path}), or if
	 * {@code cwd} is not of this store
	 */
	WorkspacePath resolve(String argument, WorkspacePath cwd);

	/**
	 * Spells a path so that {@link #resolve(String, WorkspacePath)} leads back to it from
	 * whatever directory.
	 * @param path a path of this store
	 * @return an absolute path, as far as the path policy knows them
	 */
	default String display(WorkspacePath path) {
		return path.toPath().toString();
	}

	/**
	 * Spells a path so that {@link #resolve(String, WorkspacePath)} leads back to it from
	 * the given directory: as paths appear in results.
	 * @param path a path of this store
	 * @param cwd the directory that relative paths start from
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
	 * Finds the path of this workspace that a host path spells, such as the directory
	 * that a command ended in. Touches no file and is no gate for what a model wrote.
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
	 * Reads a range of a regular file.
	 * @param path the file
	 * @param offset where to start, in bytes, at least 0; beyond the end nothing is read
	 * @param length how many bytes to read at most, at least 0
	 * @return the bytes, or a failure such as {@code file_not_found},
	 * {@code is_a_directory}, {@code path_traversal_blocked}, {@code permission_denied}
	 * or {@code unsupported_file_type}
	 * @throws IllegalArgumentException if the offset or the length is negative, or the
	 * path is not of this store
	 */
	WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length);

	/**
	 * Describes an entry. A link that stays inside the workspace is followed.
	 * @param path the entry
	 * @return the facts, or a failure as for reading
	 * @throws IllegalArgumentException if the path is not of this store
	 */
	WorkspaceResult<FileInfo> info(WorkspacePath path);

	/**
	 * Lists a directory. Links in it are not followed.
	 * @param directory the directory
	 * @param depth how many levels to list, at least 1
	 * @return the entries, or a failure such as {@code file_not_found} or
	 * {@code not_a_directory}; a root that does not exist yet is empty
	 * @throws IllegalArgumentException if the depth is below 1, or the path is not of
	 * this store
	 */
	WorkspaceResult<FileListing> list(WorkspacePath directory, int depth);

	/**
	 * Visits every file below a directory. Links are not followed.
	 * @param directory the directory
	 * @param visitor is told what is met, possibly from several threads at once
	 * @return what was met, or a failure such as {@code file_not_found} or
	 * {@code not_a_directory}; a root that does not exist yet is empty
	 * @throws IllegalArgumentException if the path is not of this store
	 */
	WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor);

	/**
	 * Changes files. The only method that writes.
	 * @param change what to change
	 * @return what was changed, or a failure, and then nothing was changed
	 * @throws IllegalArgumentException if a path is not of this store
	 */
	WorkspaceResult<ChangeReport> apply(WorkspaceChange change);

	/**
	 * Returns what {@link #apply(WorkspaceChange)} lets be written, for whoever has files
	 * of the roots changed in another way and can hold that to it, such as a sandbox that
	 * runs a command.
	 * @return the policy of the store, which a decorator may make stricter; unless
	 * overridden {@link WritePolicy#ALLOW_ALL}
	 * @since 0.1.0
	 */
	default WritePolicy writePolicy() {
		return WritePolicy.ALLOW_ALL;
	}

	/**
	 * Returns what the files take of what they may take: of the root that has used most.
	 * What commands wrote is among it as soon as it was counted, which may take a walk,
	 * but not more than a small part of the time.
	 * @return the usage, null if nothing bounds it or it cannot be counted
	 */
	default @Nullable WorkspaceUsage usage() {
		return null;
	}

	/**
	 * Reads a whole file as UTF-8.
	 * @param path a logical path in any spelling
	 * @return the text, or a failure such as {@code file_not_found}, {@code too_large}
	 * or, when the bytes are not UTF-8, {@code unsupported_file_type}
	 * @throws WorkspacePathException if the path is structurally bad
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
	 * @throws WorkspacePathException if the path is structurally bad
	 */
	default WorkspaceResult<byte[]> tryReadBytes(String path) {
		return WorkspaceText.readWhole(this, logical(path)).map(FileContent::bytes);
	}

	/**
	 * Writes a whole file as UTF-8, creating it and its parents where they are missing.
	 * @param path a logical path in any spelling
	 * @param content the new text
	 * @return where it was written, or a failure such as {@code read_only} or, where the
	 * text has an unpaired surrogate, {@code unsupported_file_type}
	 * @throws WorkspacePathException if the path is structurally bad
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
	 * Returns whether a regular file is there and inside the workspace.
	 * @param path a logical path in any spelling
	 * @return false also for a directory
	 * @throws WorkspacePathException if the path is structurally bad
	 */
	default boolean fileExists(String path) {
		return info(logical(path)) instanceof WorkspaceResult.Ok<FileInfo> ok && ok.value().type() == FileType.FILE;
	}

	/**
	 * Returns the canonical paths of all files below the primary root.
	 * @return the paths in the order of {@link WorkspacePath#PATH_COMPARATOR}, or a
	 * failure
	 */
	default WorkspaceResult<List<String>> getFilePaths() {
		List<String> paths = Collections.synchronizedList(new ArrayList<>());
		return walk(root(), (file) -> {
			paths.add(file.path().relative());
			return WorkspaceVisitor.Next.CONTINUE;
		}).map((report) -> paths.stream().sorted(WorkspacePath.PATH_COMPARATOR).toList());
	}

	/**
	 * Lists a directory two levels deep.
	 * @param directory a logical path in any spelling; empty, {@code .} and {@code /} are
	 * the root
	 * @return the entries, or a failure
	 * @throws WorkspacePathException if the path is structurally bad
	 */
	default WorkspaceResult<FileListing> listDirectory(String directory) {
		return listDirectory(directory, 2);
	}

	/**
	 * Lists a directory.
	 * @param directory a logical path in any spelling; empty, {@code .} and {@code /} are
	 * the root
	 * @param maxDepth how many levels to list, at least 1
	 * @return the entries, or a failure
	 * @throws WorkspacePathException if the path is structurally bad
	 */
	default WorkspaceResult<FileListing> listDirectory(String directory, int maxDepth) {
		String canonical = WorkspacePath.canonicalizeDirectory(directory);
		return list(canonical.isEmpty() ? root() : resolve(canonical, root()), maxDepth);
	}

	/**
	 * Replaces the text of a file if it is the expected one. Another text is a success
	 * with {@link CompareExchangeResult#exchanged()} false; a missing file is a failure.
	 * @param path a logical path in any spelling
	 * @param expectedContent the text that the file must have; one with an unpaired
	 * surrogate is that of no file
	 * @param newContent the text it has afterwards
	 * @return the outcome, or a failure such as {@code file_not_found} or, where the new
	 * text has an unpaired surrogate, {@code unsupported_file_type}
	 * @throws WorkspacePathException if the path is structurally bad
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
		return resolve(WorkspacePath.canonicalize(path), root());
	}

}

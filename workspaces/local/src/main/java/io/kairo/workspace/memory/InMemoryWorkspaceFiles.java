package io.kairo.workspace.memory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.path.PathGate;

/**
 * Files in memory: the reference store of the logical contract, for tests and for agents
 * whose files need not outlive the JVM. All content is on the heap and unbounded: use a
 * quota if an agent can write.
 * <p>
 * Paths are case-insensitive, as in {@link WorkspacePath#PATH_COMPARATOR}, and keep the
 * case of the first write. A leading slash, or {@code /workspace}, denotes the root;
 * {@code ..} segments are refused; a backslash is a separator; outer white space is
 * trimmed. There are no links, no modes and one root; its {@link WorkspacePath#root()} is
 * only a name. Every version is a hash of the content.
 * <p>
 * Safe for use by several threads. Each change, or batch, is atomic; a walk visits the
 * files as they were at its start.
 */
public final class InMemoryWorkspaceFiles implements WorkspaceFiles {

	private static final Path DEFAULT_ROOT = Path.of("/memory/default");

	private final PathGate gate;

	private final WriteGuard guard;

	private final MemoryStore store;

	/**
	 * Creates an empty store where all paths may be written.
	 */
	public InMemoryWorkspaceFiles() {
		this(WritePolicy.ALLOW_ALL);
	}

	/**
	 * Creates an empty store.
	 * @param writePolicy the paths that may be written
	 */
	public InMemoryWorkspaceFiles(WritePolicy writePolicy) {
		this(DEFAULT_ROOT, writePolicy);
	}

	/**
	 * Creates an empty store.
	 * @param root the name of the root, made absolute; the disk is not accessed
	 * @param writePolicy the paths that may be written
	 */
	public InMemoryWorkspaceFiles(Path root, WritePolicy writePolicy) {
		this(root, writePolicy, new MemoryStore());
	}

	InMemoryWorkspaceFiles(Path root, WritePolicy writePolicy, MemoryStore store) {
		this.gate = PathGate.logical(root.toAbsolutePath().normalize());
		this.guard = new WriteGuard(writePolicy);
		this.store = store;
	}

	/**
	 * Adds or replaces a file, regardless of the write policy, to prepare a test.
	 * @param path a logical path in any spelling
	 * @param content its text, stored as UTF-8
	 * @return this store
	 * @throws WorkspacePathException if the path is malformed
	 * @throws io.kairo.api.workspace.WorkspaceException if the path is a directory, or a
	 * file is above it
	 */
	public InMemoryWorkspaceFiles seedFile(String path, String content) {
		WorkspacePath file = resolve(WorkspacePath.canonicalize(path), root());
		try {
			this.store.seed(file.relative(), content.getBytes(StandardCharsets.UTF_8));
		}
		catch (RefusedException ex) {
			ex.toFailure(this.gate).value();
		}
		return this;
	}

	/**
	 * Adds or replaces a file as {@link #seedFile} does.
	 * @param path a logical path in any spelling
	 * @param content its text, stored as UTF-8
	 * @return this store
	 */
	public InMemoryWorkspaceFiles seed(String path, String content) {
		return seedFile(path, content);
	}

	/**
	 * Returns a snapshot of all files, to inspect the effects of a test.
	 * @return the texts, decoded from UTF-8, by canonical path in the order of
	 * {@link WorkspacePath#PATH_COMPARATOR}; unmodifiable
	 */
	public SortedMap<String, String> snapshot() {
		SortedMap<String, String> texts = new TreeMap<>(WorkspacePath.PATH_COMPARATOR);
		for (MemoryNode node : this.store.all()) {
			byte[] content = node.content();
			if (content != null) {
				texts.put(node.path(), new String(content, StandardCharsets.UTF_8));
			}
		}
		return Collections.unmodifiableSortedMap(texts);
	}

	@Override
	public WorkspacePath root() {
		return this.gate.root();
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		return this.gate.resolve(argument, cwd);
	}

	@Override
	public String display(WorkspacePath path) {
		return this.gate.display(path);
	}

	@Override
	public String display(WorkspacePath path, WorkspacePath cwd) {
		return this.gate.display(path, cwd);
	}

	@Override
	public WorkspacePath identity(WorkspacePath path) {
		this.gate.require(path);
		return new WorkspacePath(path.root(), PortableName.foldCase(path.relative()));
	}

	/**
	 * Returns the path in the spelling that its entry, or the directories above it, have.
	 */
	@Override
	public WorkspacePath followed(WorkspacePath path, boolean entry) {
		if (path.isRoot()) {
			return path;
		}
		return (look(path, (tree, node) -> node.path()) instanceof WorkspaceResult.Ok<String> ok)
				? new WorkspacePath(path.root(), ok.value()) : followed(path.parent(), entry).child(path.name());
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		if (offset < 0 || length < 0) {
			throw new IllegalArgumentException(
					"Offset " + offset + " or length " + length + " is negative: give 0 or more");
		}
		return look(path, (tree, node) -> {
			byte[] content = node.content();
			if (content == null) {
				throw RefusedException.directory(path.relative());
			}
			int from = (int) Math.min(offset, content.length);
			int to = (int) Math.min((long) from + length, content.length);
			return new FileContent(path, Arrays.copyOfRange(content, from, to), offset, content.length,
					String.valueOf(node.version()));
		});
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return look(path, (tree, node) -> node.info(path, node.version()));
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		if (depth < 1) {
			throw new IllegalArgumentException("The depth " + depth + " is too small: give at least 1");
		}
		return look(directory, (tree, node) -> {
			int above = depth(requireDirectory(node));
			List<FileInfo> entries = tree.below(node.path())
				.stream()
				.filter((entry) -> depth(entry) - above <= depth)
				.map((entry) -> entry.info(new WorkspacePath(root().root(), entry.path()), null))
				.sorted(Comparator.comparing(FileInfo::path))
				.toList();
			return new FileListing(new WorkspacePath(root().root(), node.path()), entries, 0);
		});
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		WorkspaceResult<MemoryWalk> walk = look(directory, (tree, node) -> {
			String start = requireDirectory(node).path();
			return new MemoryWalk(root().root(), start, tree.below(start), visitor);
		});
		return walk.map(MemoryWalk::walk);
	}

	@Override
	public WritePolicy writePolicy() {
		return this.guard.policy();
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		change.paths().forEach(this.gate::admit);
		try {
			return WorkspaceResult.ok(this.store.apply(change, this.guard));
		}
		catch (RefusedException ex) {
			return ex.toFailure(this.gate);
		}
	}

	private <T> WorkspaceResult<T> look(WorkspacePath path, MemoryStore.Look<T> look) {
		this.gate.admit(path);
		try {
			return WorkspaceResult.ok(this.store.look(path.relative(), look));
		}
		catch (RefusedException ex) {
			return ex.toFailure(this.gate);
		}
	}

	private static MemoryNode requireDirectory(MemoryNode node) throws RefusedException {
		if (node.isFile()) {
			throw RefusedException.notADirectory(node.path());
		}
		return node;
	}

	private static int depth(MemoryNode node) {
		return node.path().isEmpty() ? 0 : node.path().split("/", -1).length;
	}

}

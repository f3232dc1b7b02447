package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The base of decorators: hands every method on {@link WorkspacePath} to another store.
 * <p>
 * A decorator that counts, forbids or remembers changes overrides
 * {@link #apply(WorkspaceChange)}, looks at {@link WorkspaceChange#leaves()} and has seen
 * everything, since nothing else writes. The methods on {@code String} are deliberately
 * not handed on: they stay the defaults of {@link WorkspaceFiles} and so run over the
 * decorator's own {@code apply}, {@code read}, {@code info}, {@code list} and
 * {@code walk}. Leave them alone: a decorator that hands one of them on opens a way
 * around itself.
 * <p>
 * Paths go through unchanged. A decorator is as safe for use by several threads as what
 * it adds; two decorators over one store do not know of each other.
 *
 * @since 0.1.0
 */
public abstract class ForwardingWorkspaceFiles implements WorkspaceFiles {

	private final WorkspaceFiles delegate;

	/**
	 * Creates a decorator.
	 * @param delegate the store that does the work
	 */
	protected ForwardingWorkspaceFiles(WorkspaceFiles delegate) {
		this.delegate = Objects.requireNonNull(delegate, "delegate");
	}

	/**
	 * Returns the store that does the work.
	 * @return the store as it was given to the constructor
	 */
	protected final WorkspaceFiles delegate() {
		return this.delegate;
	}

	@Override
	public WorkspacePath root() {
		return this.delegate.root();
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		return this.delegate.resolve(argument, cwd);
	}

	@Override
	public String display(WorkspacePath path) {
		return this.delegate.display(path);
	}

	@Override
	public String display(WorkspacePath path, WorkspacePath cwd) {
		return this.delegate.display(path, cwd);
	}

	@Override
	public @Nullable WorkspacePath locate(Path hostPath) {
		return this.delegate.locate(hostPath);
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		return this.delegate.read(path, offset, length);
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return this.delegate.info(path);
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		return this.delegate.list(directory, depth);
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		return this.delegate.walk(directory, visitor);
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		return this.delegate.apply(change);
	}

	@Override
	public WritePolicy writePolicy() {
		return this.delegate.writePolicy();
	}

	@Override
	public @Nullable WorkspaceUsage usage() {
		return this.delegate.usage();
	}

}

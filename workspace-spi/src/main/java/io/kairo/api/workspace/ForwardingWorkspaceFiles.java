package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Base class for decorators. It forwards every method with a {@link WorkspacePath} to
 * another store.
 * <p>
 * A decorator that counts, forbids or records changes overrides
 * {@link #apply(WorkspaceChange)} and inspects {@link WorkspaceChange#leaves()}. It sees
 * every change, since no other method writes. The methods with a {@code String} path are
 * deliberately not forwarded: they stay the defaults of {@link WorkspaceFiles}, which
 * call the decorator's own {@code apply}, {@code read}, {@code info}, {@code list} and
 * {@code walk}. Do not override them: a decorator that forwards one of them can be
 * bypassed.
 * <p>
 * {@link #including(Path)} and {@link #relocated(java.util.Map)} are not forwarded
 * either, as the result would not be decorated: a decorator overrides them by decorating
 * what its delegate returns.
 * <p>
 * Paths are forwarded unchanged. The base class is safe for use by several threads.
 * Decorators of the same store are independent of each other.
 */
public abstract class ForwardingWorkspaceFiles implements WorkspaceFiles {

	private final WorkspaceFiles delegate;

	/**
	 * Creates a decorator.
	 * @param delegate the store that receives the calls
	 */
	protected ForwardingWorkspaceFiles(WorkspaceFiles delegate) {
		this.delegate = Objects.requireNonNull(delegate, "delegate");
	}

	/**
	 * Returns the store that receives the calls.
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
	public Path location(Path root) {
		return this.delegate.location(root);
	}

	@Override
	public WorkspacePath identity(WorkspacePath path) {
		return this.delegate.identity(path);
	}

	@Override
	public WorkspacePath followed(WorkspacePath path, boolean entry) {
		return this.delegate.followed(path, entry);
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

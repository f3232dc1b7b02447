package io.kairo.governance.audit;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Records the files that a call reads and changes.
 */
final class AuditedFiles extends ForwardingWorkspaceFiles {

	private final CallEffects effects;

	private final Path primary;

	/** The directory of the application that is a further root, null if there is none. */
	private final @Nullable Path further;

	AuditedFiles(WorkspaceFiles delegate, CallEffects effects) {
		this(delegate, effects, delegate.root().root(), null);
	}

	private AuditedFiles(WorkspaceFiles delegate, CallEffects effects, Path primary, @Nullable Path further) {
		super(delegate);
		this.effects = effects;
		this.primary = primary;
		this.further = further;
		if (isTried()) {
			effects.copy(delegate.location(primary));
		}
	}

	private boolean isTried() {
		return !delegate().location(this.primary).equals(this.primary);
	}

	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		WorkspaceFiles relocated = delegate().relocated(directories);
		return (relocated != null) ? new AuditedFiles(relocated, this.effects, this.primary, null) : null;
	}

	@Override
	public @Nullable WorkspaceFiles including(Path directory) {
		WorkspaceFiles including = delegate().including(directory);
		return (including != null) ? new AuditedFiles(including, this.effects, this.primary, directory) : null;
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		WorkspaceResult<FileContent> result = delegate().read(path, offset, length);
		if (!(result instanceof WorkspaceResult.Failure)) {
			this.effects.read(shown(path), result.value().version());
		}
		return result;
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		WorkspaceResult<ChangeReport> result = delegate().apply(change);
		if (!(result instanceof WorkspaceResult.Failure)) {
			List<WorkspaceChange> leaves = change.leaves();
			List<ChangeReport.Line> lines = result.value().lines();
			for (int i = 0; i < lines.size(); i++) {
				if (lines.get(i).applied()) {
					applied(leaves.get(i), lines.get(i));
				}
			}
		}
		return result;
	}

	private void applied(WorkspaceChange change, ChangeReport.Line line) {
		String target = shown(line.path());
		if (change instanceof WorkspaceChange.Move move && move.path().root().equals(this.further)) {
			created(line.path(), line.version());
		}
		else if (change instanceof WorkspaceChange.Move move) {
			changed(shown(move.path()), move.expectedVersion(), null, 0);
			changed(target, null, line.version(), 0);
		}
		else if (change instanceof WorkspaceChange.Copy copy) {
			this.effects.read(shown(copy.path()), copy.expectedVersion());
			changed(target, null, line.version(), 0);
		}
		else {
			changed(target, change.expectedVersion(), line.version(), size(change));
		}
	}

	/**
	 * Records what comes from a directory of the application, such as a commit of a
	 * trial, with everything in it.
	 */
	private void created(WorkspacePath path, @Nullable String version) {
		changed(shown(path), null, version, 0);
		if (version == null) {
			delegate().walk(path, new WorkspaceVisitor() {

				@Override
				public Next directory(WorkspacePath directory) {
					return entry(directory);
				}

				@Override
				public Next file(Entry file) {
					return entry(file.path());
				}

				@Override
				public void other(Entry other) {
					entry(other.path());
				}

				private Next entry(WorkspacePath entry) {
					changed(shown(entry), null, null, 0);
					return Next.CONTINUE;
				}

			});
		}
	}

	private void changed(String path, @Nullable String expected, @Nullable String version, long bytes) {
		this.effects.changed(path, expected, version, bytes, isTried());
	}

	/**
	 * Spells a path relative to the primary root, whatever the current directory is.
	 */
	private String shown(WorkspacePath path) {
		return path.root().equals(this.primary) ? path.relative() : path.root().resolve(path.relative()).toString();
	}

	private static long size(WorkspaceChange change) {
		if (change instanceof WorkspaceChange.Write write) {
			return write.content().length;
		}
		return (change instanceof WorkspaceChange.CompareExchange exchange) ? exchange.content().length : 0;
	}

}

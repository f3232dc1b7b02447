package io.kairo.autoconfigure.observation;

import java.util.List;
import java.util.function.LongConsumer;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * Files that count the bytes of every applied change. Copies are not counted.
 */
final class CountedFiles extends ForwardingWorkspaceFiles {

	private final LongConsumer written;

	CountedFiles(WorkspaceFiles files, LongConsumer written) {
		super(files);
		this.written = written;
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		WorkspaceResult<ChangeReport> result = delegate().apply(change);
		if (result.isOk()) {
			List<WorkspaceChange> leaves = change.leaves();
			List<ChangeReport.Line> lines = result.value().lines();
			long bytes = 0;
			for (int i = 0; i < Math.min(leaves.size(), lines.size()); i++) {
				bytes += lines.get(i).applied() ? size(leaves.get(i)) : 0;
			}
			if (bytes > 0) {
				this.written.accept(bytes);
			}
		}
		return result;
	}

	private static long size(WorkspaceChange change) {
		if (change instanceof WorkspaceChange.Write write) {
			return write.content().length;
		}
		return (change instanceof WorkspaceChange.CompareExchange exchange) ? exchange.content().length : 0;
	}

}

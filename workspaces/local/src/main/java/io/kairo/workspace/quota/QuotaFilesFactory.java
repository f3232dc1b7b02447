package io.kairo.workspace.quota;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;

/**
 * Opens files with a {@link QuotaWorkspaceFiles quota}. All files opened for the same
 * workspace share one count, so that they cannot exceed the quota together. Two
 * workspaces with overlapping roots are counted separately. Safe for use by several
 * threads.
 */
public final class QuotaFilesFactory implements WorkspaceFilesFactory {

	private final WorkspaceFilesFactory delegate;

	private final WorkspaceQuota quota;

	private final Map<Workspace, UsageCounter> counters = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Creates a factory.
	 * @param delegate the factory of the files without a quota
	 * @param quota the quota of each root of a workspace
	 */
	public QuotaFilesFactory(WorkspaceFilesFactory delegate, WorkspaceQuota quota) {
		this.delegate = Objects.requireNonNull(delegate, "delegate");
		this.quota = Objects.requireNonNull(quota, "quota");
	}

	@Override
	public WorkspaceFiles open(Workspace workspace) {
		WorkspaceFiles files = this.delegate.open(workspace);
		UsageCounter counter = this.counters.computeIfAbsent(workspace,
				(missing) -> new UsageCounter(QuotaWorkspaceFiles.RECOUNT_AFTER, UsageCounter.MONOTONIC));
		return new QuotaWorkspaceFiles(files, this.quota, counter, workspace::roots);
	}

}

package io.kairo.workspace.quota;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceUsage;
import org.jspecify.annotations.Nullable;

/**
 * Refuses changes that would make the files below a root exceed a quota, with
 * {@code quota_exceeded}. Changes that free space are never refused, so that a full
 * workspace can be cleaned up. A batch counts by its final effect.
 * <p>
 * Usage is counted by a walk at the first change that needs space, and then updated with
 * each change. As commands write without the store, usage is counted anew when the last
 * count is older than a given duration, and before a change is refused. Commands are not
 * bound by the quota and may exceed it. Unreadable files and the targets of links are not
 * counted. If commands have created directories deeper than the paths of a workspace,
 * that is, more than 256 names, the quota counts as exceeded until they are deleted.
 * <p>
 * The quota applies to each root separately; changes to a root that is a whole file
 * system are refused. Safe for use by several threads: changes are serialised, so that
 * they cannot exceed the quota together. That holds within one instance, so keep one for
 * each workspace, or use a {@link QuotaFilesFactory}.
 */
public final class QuotaWorkspaceFiles extends ForwardingWorkspaceFiles {

	/** Default maximum age of a count: 30 seconds. */
	public static final Duration RECOUNT_AFTER = Duration.ofSeconds(30);

	private final WorkspaceQuota quota;

	private final UsageCounter counter;

	/** Returns the roots to count, whether or not they have a name in the store. */
	private final Supplier<List<Path>> roots;

	/**
	 * Creates a quota for a store.
	 * @param delegate the store
	 * @param quota the quota of each of its roots
	 */
	public QuotaWorkspaceFiles(WorkspaceFiles delegate, WorkspaceQuota quota) {
		this(delegate, quota, RECOUNT_AFTER, UsageCounter.MONOTONIC);
	}

	/**
	 * Creates a quota for a store.
	 * @param delegate the store
	 * @param quota the quota of each of its roots
	 * @param recountAfter maximum age of a count; zero counts before every change that
	 * needs space
	 * @param clock the clock
	 * @throws IllegalArgumentException if {@code recountAfter} is negative
	 */
	public QuotaWorkspaceFiles(WorkspaceFiles delegate, WorkspaceQuota quota, Duration recountAfter,
			InstantSource clock) {
		this(delegate, quota, counter(recountAfter, clock), () -> List.of(delegate.root().root()));
	}

	QuotaWorkspaceFiles(WorkspaceFiles delegate, WorkspaceQuota quota, UsageCounter counter,
			Supplier<List<Path>> roots) {
		super(delegate);
		this.quota = quota;
		this.counter = counter;
		this.roots = roots;
	}

	private static UsageCounter counter(Duration recountAfter, InstantSource clock) {
		if (recountAfter.isNegative()) {
			throw new IllegalArgumentException(
					"A count cannot be good for " + recountAfter + ": give a duration of 0 or more");
		}
		return new UsageCounter(recountAfter, clock);
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		this.counter.lock().lock();
		try {
			Map<Path, Usage> growth = FileSizes.after(delegate(), change.leaves()).growth();
			for (Map.Entry<Path, Usage> entry : growth.entrySet()) {
				WorkspaceResult<Usage> room = room(entry.getKey(), entry.getValue());
				if (room instanceof WorkspaceResult.Failure<Usage> failure) {
					return failure.cast();
				}
			}
			WorkspaceResult<ChangeReport> result = delegate().apply(change);
			if (result.isOk() && result.value().lines().stream().anyMatch(ChangeReport.Line::applied)) {
				growth.forEach((root, added) -> this.counter.add(delegate(), root, added));
			}
			return result;
		}
		finally {
			this.counter.lock().unlock();
		}
	}

	/**
	 * Checks that there is room for a growth.
	 * @return the current usage, or a failure
	 */
	private WorkspaceResult<Usage> room(Path root, Usage growth) {
		if (growth.bytes() <= 0 && growth.files() <= 0) {
			return WorkspaceResult.ok(Usage.NONE);
		}
		if (root.getNameCount() == 0) {
			return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED,
					"No quota can be kept of a whole file system: write below a root of the workspace");
		}
		boolean known = this.counter.knows(delegate(), root);
		WorkspaceResult<Usage> usage = this.counter.usage(delegate(), root);
		if (known && usage.value().exceeds(this.quota, growth)) {
			usage = this.counter.count(delegate(), root);
		}
		return (usage.isOk() && usage.value().exceeds(this.quota, growth)) ? refuse(usage.value(), growth) : usage;
	}

	private WorkspaceResult<Usage> refuse(Usage usage, Usage growth) {
		if (usage.tooDeep() > 0) {
			return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED,
					String.format(
							"Nothing was changed: %d director%s too deep to be counted, more than 256 names below"
									+ " the root: delete them, or the directory that they are in",
							usage.tooDeep(), (usage.tooDeep() == 1) ? "y is" : "ies are"));
		}
		return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED,
				String.format(
						"Nothing was changed: it would take %d more byte%s and %d more file%s, where %d of %d bytes"
								+ " and %d of %d files are in use: delete what is not needed, or write less",
						growth.bytes(), plural(growth.bytes()), growth.files(), plural(growth.files()), usage.bytes(),
						this.quota.bytes(), usage.files(), this.quota.files()));
	}

	private static String plural(long count) {
		return (count == 1) ? "" : "s";
	}

	@Override
	public @Nullable WorkspaceUsage usage() {
		WorkspaceUsage fullest = null;
		this.counter.lock().lock();
		try {
			for (Path root : countedRoots()) {
				WorkspaceResult<Usage> usage = this.counter.recent(delegate(), root);
				if (usage.isOk()) {
					fullest = fuller(fullest, this.quota.usage(usage.value()));
				}
			}
		}
		finally {
			this.counter.lock().unlock();
		}
		return fullest;
	}

	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		WorkspaceFiles relocated = delegate().relocated(directories);
		return (relocated != null) ? new QuotaWorkspaceFiles(relocated, this.quota, this.counter, this.roots) : null;
	}

	@Override
	public @Nullable WorkspaceFiles including(Path directory) {
		WorkspaceFiles wider = delegate().including(directory);
		return (wider != null) ? new QuotaWorkspaceFiles(wider, this.quota, this.counter, this.roots) : null;
	}

	/**
	 * Returns the roots that have a name in the store and are not whole file systems.
	 */
	private Set<Path> countedRoots() {
		Set<Path> counted = new LinkedHashSet<>(Set.of(delegate().root().root()));
		for (Path root : this.roots.get()) {
			WorkspacePath located = delegate().locate(root);
			if (located != null && located.isRoot()) {
				counted.add(located.root());
			}
		}
		counted.removeIf((root) -> root.getNameCount() == 0);
		return counted;
	}

	private static WorkspaceUsage fuller(@Nullable WorkspaceUsage one, WorkspaceUsage other) {
		return (one != null
				&& Math.max(one.bytesShare(), one.filesShare()) >= Math.max(other.bytesShare(), other.filesShare()))
						? one : other;
	}

}

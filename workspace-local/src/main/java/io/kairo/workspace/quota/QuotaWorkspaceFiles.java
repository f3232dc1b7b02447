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
 * {@code quota_exceeded}. What does not grow is never refused, so that a full workspace
 * can be cleaned up. A batch counts by what it leaves behind.
 * <p>
 * What is there is counted by a walk at the first change that grows, afterwards by what
 * the changes do. Commands write behind the back of a store: it is counted anew when the
 * last count is older than a given time, and before a change is refused. In between,
 * commands may exceed the quota, and always by themselves: it does not bind them. What
 * the walk cannot read, and what links lead to, is not counted. Where commands made
 * directories that are deeper than a path of the workspace can be, more than 256 names,
 * the quota counts as exceeded until they are gone.
 * <p>
 * Each root has the whole quota for itself; changes to a root that is a whole file system
 * are refused. Safe for use by several threads: changes go through one at a time, so that
 * they cannot exceed the quota together. That holds within one instance, so keep one for
 * each workspace, or let a {@link QuotaFilesFactory} do it.
 *
 * @since 0.1.0
 */
public final class QuotaWorkspaceFiles extends ForwardingWorkspaceFiles {

	/** How long a count is good for, unless said otherwise: 30 seconds. */
	public static final Duration RECOUNT_AFTER = Duration.ofSeconds(30);

	private final WorkspaceQuota quota;

	private final UsageLedger ledger;

	/** Returns the roots to look at, whether they have a name in the store or not. */
	private final Supplier<List<Path>> roots;

	/**
	 * Puts a quota in front of a store.
	 * @param delegate the store
	 * @param quota what each of its roots may hold
	 */
	public QuotaWorkspaceFiles(WorkspaceFiles delegate, WorkspaceQuota quota) {
		this(delegate, quota, RECOUNT_AFTER, InstantSource.system());
	}

	/**
	 * Puts a quota in front of a store.
	 * @param delegate the store
	 * @param quota what each of its roots may hold
	 * @param recountAfter how long a count is good for; zero counts before every change
	 * that grows
	 * @param clock tells the time
	 * @throws IllegalArgumentException if {@code recountAfter} is negative
	 */
	public QuotaWorkspaceFiles(WorkspaceFiles delegate, WorkspaceQuota quota, Duration recountAfter,
			InstantSource clock) {
		this(delegate, quota, ledger(recountAfter, clock), () -> List.of(delegate.root().root()));
	}

	QuotaWorkspaceFiles(WorkspaceFiles delegate, WorkspaceQuota quota, UsageLedger ledger, Supplier<List<Path>> roots) {
		super(delegate);
		this.quota = quota;
		this.ledger = ledger;
		this.roots = roots;
	}

	private static UsageLedger ledger(Duration recountAfter, InstantSource clock) {
		if (recountAfter.isNegative()) {
			throw new IllegalArgumentException(
					"A count cannot be good for " + recountAfter + ": give a duration of 0 or more");
		}
		return new UsageLedger(recountAfter, clock);
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		this.ledger.lock().lock();
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
				growth.forEach(this.ledger::add);
			}
			return result;
		}
		finally {
			this.ledger.lock().unlock();
		}
	}

	/**
	 * Finds out whether there is room.
	 * @return what is in use, or why there is none
	 */
	private WorkspaceResult<Usage> room(Path root, Usage growth) {
		if (growth.bytes() <= 0 && growth.files() <= 0) {
			return WorkspaceResult.ok(Usage.NONE);
		}
		if (root.getNameCount() == 0) {
			return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED,
					"No quota can be kept of a whole file system: write below a root of the workspace");
		}
		boolean known = this.ledger.knows(root);
		WorkspaceResult<Usage> usage = this.ledger.usage(delegate(), root);
		if (known && usage.value().exceeds(this.quota, growth)) {
			usage = this.ledger.count(delegate(), root);
		}
		return (usage.isOk() && usage.value().exceeds(this.quota, growth)) ? refuse(usage.value(), growth) : usage;
	}

	private WorkspaceResult<Usage> refuse(Usage usage, Usage growth) {
		if (usage.tooDeep() > 0) {
			return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED,
					String.format(
							"Nothing was changed: %d directories are too deep to be counted, more than 256 names below"
									+ " the root: delete them, or the directory that they are in",
							usage.tooDeep()));
		}
		return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED, String.format(
				"Nothing was changed: it would take %d more bytes and %d more files, where %d of %d bytes"
						+ " and %d of %d files are in use: delete what is not needed, or write less",
				growth.bytes(), growth.files(), usage.bytes(), this.quota.bytes(), usage.files(), this.quota.files()));
	}

	@Override
	public @Nullable WorkspaceUsage usage() {
		WorkspaceUsage fullest = null;
		this.ledger.lock().lock();
		try {
			for (Path root : countedRoots()) {
				WorkspaceResult<Usage> usage = this.ledger.recent(delegate(), root);
				if (usage.isOk()) {
					fullest = fuller(fullest, this.quota.usage(usage.value()));
				}
			}
		}
		finally {
			this.ledger.lock().unlock();
		}
		return fullest;
	}

	/**
	 * Returns the roots that have a name here, but no whole file systems.
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

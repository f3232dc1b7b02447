package io.kairo.workspace.quota;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * Refuses changes that would make the files below a root exceed a quota, with
 * {@code quota_exceeded}. What does not grow is never refused, so that a full workspace
 * can be cleaned up. A batch counts by what it leaves behind.
 * <p>
 * What is there is counted by a walk at the first change that grows, afterwards by what
 * the changes do. Commands write behind the back of a store: it is counted anew when the
 * last count is older than a given time, and before a change is refused. In between,
 * commands may exceed the quota, and always by themselves: it does not bind them. What
 * the walk cannot read, and what links lead to, is not counted.
 * <p>
 * Each root has the whole quota for itself; changes to a root that is a whole file system
 * are refused. Safe for use by several threads: changes go through one at a time, so that
 * they cannot exceed the quota together. That holds within one instance, so keep one for
 * each workspace.
 *
 * @since 0.1.0
 */
public final class QuotaWorkspaceFiles extends ForwardingWorkspaceFiles {

	/** How long a count is good for, unless said otherwise: 30 seconds. */
	public static final Duration RECOUNT_AFTER = Duration.ofSeconds(30);

	private final WorkspaceQuota quota;

	private final UsageLedger ledger;

	private final ReentrantLock lock = new ReentrantLock();

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
		super(delegate);
		if (recountAfter.isNegative()) {
			throw new IllegalArgumentException(
					"A count cannot be good for " + recountAfter + ": give a duration of 0 or more");
		}
		this.quota = quota;
		this.ledger = new UsageLedger(delegate, recountAfter, clock);
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		this.lock.lock();
		try {
			Map<Path, Usage> growth = FileSizes.after(delegate(), change.leaves()).growth();
			for (Map.Entry<Path, Usage> entry : growth.entrySet()) {
				WorkspaceResult<Usage> room = room(entry.getKey(), entry.getValue());
				if (room instanceof WorkspaceResult.Failure<Usage> failure) {
					return WorkspaceResult.failure(failure.code(), failure.message());
				}
			}
			WorkspaceResult<ChangeReport> result = delegate().apply(change);
			if (result.isOk() && result.value().lines().stream().anyMatch(ChangeReport.Line::applied)) {
				growth.forEach(this.ledger::add);
			}
			return result;
		}
		finally {
			this.lock.unlock();
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
		WorkspaceResult<Usage> usage = this.ledger.usage(root);
		if (known && usage.value().exceeds(this.quota, growth)) {
			usage = this.ledger.count(root);
		}
		return (usage.isOk() && usage.value().exceeds(this.quota, growth)) ? refuse(usage.value(), growth) : usage;
	}

	private WorkspaceResult<Usage> refuse(Usage usage, Usage growth) {
		return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED, String.format(
				"Nothing was changed: it would take %d more bytes and %d more files, where %d of %d bytes"
						+ " and %d of %d files are in use: delete what is not needed, or write less",
				growth.bytes(), growth.files(), usage.bytes(), this.quota.bytes(), usage.files(), this.quota.files()));
	}

}

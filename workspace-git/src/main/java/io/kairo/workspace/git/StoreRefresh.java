package io.kairo.workspace.git;

import java.io.IOException;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import org.jspecify.annotations.Nullable;

/**
 * Finds one ref in a store and fetches as little as that takes. For one use, by whoever
 * has the store for itself.
 */
final class StoreRefresh {

	private final RemoteStore store;

	private final GitRemote remote;

	private final WantedRef wanted;

	private final Deadline deadline;

	private final OfflineMode offline;

	private boolean fetched;

	private boolean missing;

	StoreRefresh(RemoteStore store, GitRemote remote, WantedRef wanted, Deadline deadline, OfflineMode offline) {
		this.store = store;
		this.remote = remote;
		this.wanted = wanted;
		this.deadline = deadline;
		this.offline = offline;
	}

	FoundCommit find() throws IOException {
		WorkspaceException silence = isKnownForever() ? null : refresh();
		FoundCommit found = lookUp();
		if (found == null && silence == null && !this.fetched) {
			silence = fetch(this.wanted.fetched());
			found = lookUp();
		}
		if (found == null && silence == null && this.wanted.kind() == WantedRef.Kind.COMMIT) {
			silence = fetch(FetchSpec.commit(String.valueOf(this.wanted.text())));
			found = lookUp();
		}
		if (silence != null) {
			if (found == null || this.offline == OfflineMode.FAIL) {
				throw silence;
			}
			return found.stale(this.store.lastFetch(this.wanted.fetched()));
		}
		if (found == null) {
			throw new WorkspaceException(WorkspaceErrorCode.REF_NOT_FOUND,
					"The remote " + this.remote.url() + " has no " + (this.wanted.text() == null ? "" : "ref ")
							+ this.wanted.described() + ": name a branch, a tag, a commit or pull/<number> of it",
					null);
		}
		return found;
	}

	/**
	 * Looks into the store, unless the remote has just said that it has no such ref any
	 * more.
	 */
	private @Nullable FoundCommit lookUp() throws IOException {
		return this.missing ? null : RefLookup.find(this.store.path(), this.wanted);
	}

	/**
	 * Returns whether nothing that a remote may say can change what is found: a commit is
	 * what it is, for everybody whom the remote lets in without a credential.
	 */
	private boolean isKnownForever() throws IOException {
		return this.wanted.kind() == WantedRef.Kind.COMMIT && this.remote.credential() == null
				&& RefLookup.find(this.store.path(), this.wanted) != null;
	}

	/**
	 * Brings the store up to date where it is not.
	 * @return why the remote did not answer, null if it did
	 */
	private @Nullable WorkspaceException refresh() throws IOException {
		if (this.wanted.kind() == WantedRef.Kind.HEAD && !this.store.isHeadFresh(this.remote.credential())) {
			WorkspaceException silence = listening(() -> this.store.updateHead(this.remote, this.deadline));
			if (silence != null) {
				return silence;
			}
		}
		FetchSpec spec = this.wanted.fetched();
		return this.store.isFresh(spec, this.remote.credential()) ? null : fetch(spec);
	}

	private @Nullable WorkspaceException fetch(FetchSpec spec) throws IOException {
		this.fetched = true;
		return listening(() -> this.store.fetch(this.remote, spec, this.deadline));
	}

	private @Nullable WorkspaceException listening(Talk talk) throws IOException {
		try {
			talk.run();
			return null;
		}
		catch (WorkspaceException ex) {
			if (ex.code() == WorkspaceErrorCode.REMOTE_UNREACHABLE) {
				return ex;
			}
			if (ex.code() == WorkspaceErrorCode.REF_NOT_FOUND) {
				this.missing = true;
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Something that is said to the remote.
	 */
	@FunctionalInterface
	private interface Talk {

		void run() throws IOException;

	}

}

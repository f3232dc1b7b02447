package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one remote, fetched once for all checkouts. Fetches are serialized:
 * callers that wait for a fetch usually find their ref in its result. Safe for use by
 * several threads.
 */
final class RemoteStore implements AutoCloseable {

	private static final int KNOWN_TREES = 64;

	/** Key of the last update of the default branch. */
	private static final String HEAD = "HEAD";

	private final Path path;

	private final GitClient client;

	private final GitOptions options;

	private final StoreLock lock;

	private final FetchTimes times;

	private final Map<String, TreeFacts> facts = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, TreeFacts> eldest) {
			return size() > KNOWN_TREES;
		}

	};

	RemoteStore(Path path, GitClient client, GitOptions options) {
		this.path = path;
		this.client = client;
		this.options = options;
		this.lock = new StoreLock(path.resolveSibling(path.getFileName() + ".lock"));
		this.times = new FetchTimes(path);
	}

	Path path() {
		return this.path;
	}

	/**
	 * Returns the directory of the objects. It has no other files.
	 */
	Path objects() {
		return this.path.resolve("objects");
	}

	/**
	 * Resolves a ref of the remote. Fetches if the last fetch is too old or the store
	 * does not have the commit.
	 * @throws WorkspaceException if the remote does not have the ref, is unreachable or
	 * refuses access
	 */
	FoundCommit find(GitRemote remote, RequestedRef wanted, Deadline deadline) throws IOException {
		try (StoreLock.Hold hold = this.lock.hold(deadline)) {
			boolean created = !Files.exists(this.path.resolve("HEAD"));
			try {
				if (created) {
					StoreFiles.create(this.path);
					this.times.forget();
				}
				StoreFiles.markUsed(this.path);
				return new Search(remote, wanted, deadline).find();
			}
			catch (IOException | RuntimeException ex) {
				StoreFiles.tidy(this.path);
				if (created && this.times.last(FetchSpec.BRANCHES_AND_TAGS.key()) == null) {
					new OwnedTree(this.path).remove();
				}
				throw ex;
			}
		}
	}

	/**
	 * Removes the store if it is not locked, was not used for a time, and no checkout
	 * borrows its objects.
	 * @param borrowed tests whether a checkout borrows its objects; called while the lock
	 * prevents new checkouts
	 */
	void removeIfIdle(Duration idle, Predicate<Path> borrowed) throws IOException {
		try (StoreLock.Hold hold = this.lock.tryHold()) {
			if (hold != null && StoreFiles.isIdle(this.path, idle) && !borrowed.test(this.path)) {
				new OwnedTree(this.path).remove();
			}
		}
	}

	/**
	 * Measures the files of a commit, and refuses a commit whose files exceed the limit
	 * of a checkout.
	 * @throws WorkspaceException {@code TOO_LARGE} if they do
	 */
	TreeFacts measure(GitRemote remote, RequestedRef wanted, String commit) throws IOException {
		long bound = this.options.limits().maxCheckoutBytes();
		TreeFacts known;
		synchronized (this.facts) {
			known = this.facts.get(commit);
		}
		if (known == null) {
			known = TreeFacts.of(this.path, commit, bound);
			synchronized (this.facts) {
				this.facts.put(commit, known);
			}
		}
		if (known.bytes() > bound) {
			throw new WorkspaceException(WorkspaceErrorCode.TOO_LARGE,
					"The files of " + wanted.described() + " in " + remote.url() + ", commit " + commit
							+ ", have more than the %,d bytes that a checkout may have: allow more".formatted(bound),
					null);
		}
		return known;
	}

	@Override
	public void close() throws IOException {
		this.lock.close();
	}

	/**
	 * A single search for a ref, fetching as little as possible. The caller holds the
	 * store.
	 */
	private final class Search {

		private final GitRemote remote;

		private final RequestedRef wanted;

		private final Deadline deadline;

		private boolean fetched;

		private boolean missing;

		Search(GitRemote remote, RequestedRef wanted, Deadline deadline) {
			this.remote = remote;
			this.wanted = wanted;
			this.deadline = deadline;
		}

		FoundCommit find() throws IOException {
			WorkspaceException unreachable = isImmutableAndKnown() ? null : refresh();
			FoundCommit found = lookUp();
			if (found == null && unreachable == null && !this.fetched) {
				unreachable = fetch(this.wanted.fetch());
				found = lookUp();
			}
			if (found == null && unreachable == null && this.wanted.kind() == RequestedRef.Kind.COMMIT) {
				unreachable = fetch(FetchSpec.commit(String.valueOf(this.wanted.text())));
				found = lookUp();
			}
			if (unreachable != null) {
				if (found == null || RemoteStore.this.options.offline() == OfflineMode.FAIL) {
					throw unreachable;
				}
				return found.stale(RemoteStore.this.times.last(this.wanted.fetch().key()));
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
		 * Looks into the store, unless the remote has just reported the ref as missing.
		 */
		private @Nullable FoundCommit lookUp() throws IOException {
			return this.missing ? null : RefLookup.find(RemoteStore.this.path, this.wanted);
		}

		/**
		 * Returns whether the remote cannot change the result: an id always stands for
		 * the same commit, and a remote without a credential shows it to every tenant.
		 */
		private boolean isImmutableAndKnown() throws IOException {
			return this.wanted.kind() == RequestedRef.Kind.COMMIT && this.remote.credential() == null
					&& lookUp() != null;
		}

		/**
		 * Fetches the refs that are out of date.
		 * @return the failure if the remote is unreachable, null otherwise
		 */
		private @Nullable WorkspaceException refresh() throws IOException {
			if (this.wanted.kind() == RequestedRef.Kind.HEAD && !isFresh(HEAD)) {
				WorkspaceException unreachable = tolerating(this::updateHead);
				if (unreachable != null) {
					return unreachable;
				}
			}
			FetchSpec spec = this.wanted.fetch();
			return isFresh(spec.key()) ? null : fetch(spec);
		}

		private boolean isFresh(String key) throws IOException {
			return RemoteStore.this.times.isFresh(key, this.remote.credential(), RemoteStore.this.options.fetchAfter());
		}

		private void updateHead() throws IOException {
			String head = RemoteStore.this.client.head(this.remote, RemoteStore.this.path, this.deadline);
			String text = (head == null) ? StoreFiles.UNBORN_HEAD : head.startsWith("refs/") ? "ref: " + head : head;
			StoreFiles.writeHead(RemoteStore.this.path, text);
			RemoteStore.this.times.record(HEAD, this.remote.credential());
		}

		private @Nullable WorkspaceException fetch(FetchSpec spec) throws IOException {
			this.fetched = true;
			return tolerating(() -> {
				Path store = RemoteStore.this.path;
				long bound = RemoteStore.this.options.limits().maxStoreBytes();
				StoreFiles.tidy(store);
				RemoteStore.this.client.fetch(this.remote, store, spec, this.deadline);
				if (new StoreSize(store, bound).isExceeded()) {
					throw GitFailures.tooLarge(this.remote, bound);
				}
				RemoteStore.this.times.record(spec.key(), this.remote.credential());
			});
		}

		/**
		 * Talks to the remote and tolerates two failures: it returns the failure of an
		 * unreachable remote and notes a missing ref.
		 */
		private @Nullable WorkspaceException tolerating(Exchange exchange) throws IOException {
			try {
				exchange.run();
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

	}

	/**
	 * An exchange with the remote.
	 */
	@FunctionalInterface
	private interface Exchange {

		void run() throws IOException;

	}

}

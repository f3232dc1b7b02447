package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one remote, fetched once for all checkouts. One fetch at a time; those
 * who wait for it find what they want and fetch nothing.
 */
final class RemoteStore implements AutoCloseable {

	private static final int KNOWN_TREES = 64;

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
	 * Returns where nothing but the objects is.
	 */
	Path objects() {
		return this.path.resolve("objects");
	}

	/**
	 * Finds what a ref of the remote stands for, and has it here.
	 * @throws WorkspaceException if the remote does not have it, or it is not known
	 */
	FoundCommit find(GitRemote remote, WantedRef wanted, Deadline deadline) throws IOException {
		try (StoreLock.Hold hold = this.lock.hold(deadline)) {
			boolean created = !Files.exists(this.path.resolve("HEAD"));
			try {
				if (created) {
					StoreFiles.create(this.path);
					this.times.forget();
				}
				StoreFiles.markUsed(this.path);
				return new StoreRefresh(this, remote, wanted, deadline, this.options.offline()).find();
			}
			catch (IOException | RuntimeException ex) {
				StoreFiles.tidy(this.path);
				if (created && this.times.last(FetchSpec.BRANCHES.key()) == null) {
					new OwnedTree(this.path).remove();
				}
				throw ex;
			}
		}
	}

	/**
	 * Removes the store if nobody is at it, nobody has used it for a while, and no
	 * checkout borrows from it.
	 * @param borrowed whether a checkout does, asked while nobody can begin another one
	 */
	void removeIfIdle(Duration idle, Predicate<Path> borrowed) throws IOException {
		try (StoreLock.Hold hold = this.lock.tryHold()) {
			if (hold != null && StoreFiles.isIdle(this.path, idle) && !borrowed.test(this.path)) {
				new OwnedTree(this.path).remove();
			}
		}
	}

	/**
	 * Checks that the files of a commit are not too many bytes.
	 */
	TreeFacts check(GitRemote remote, WantedRef wanted, String commit) throws IOException {
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

	boolean isFresh(FetchSpec spec, @Nullable GitCredential credential) throws IOException {
		return this.times.isFresh(spec.key(), credential, this.options.fetchAfter());
	}

	@Nullable Instant lastFetch(FetchSpec spec) throws IOException {
		return this.times.last(spec.key());
	}

	/**
	 * Fetches, by whoever has the store for itself.
	 */
	void fetch(GitRemote remote, FetchSpec spec, Deadline deadline) throws IOException {
		StoreFiles.tidy(this.path);
		this.client.fetch(remote, this.path, spec, deadline);
		if (new StoreSize(this.path, this.options.limits().maxStoreBytes()).isExceeded()) {
			throw GitFailures.tooLarge(remote, this.options.limits().maxStoreBytes());
		}
		this.times.fetched(spec.key(), remote.credential());
	}

	/**
	 * Asks for the default branch, by whoever has the store for itself.
	 */
	void updateHead(GitRemote remote, Deadline deadline) throws IOException {
		String head = this.client.head(remote, this.path, deadline);
		String text = (head == null) ? "ref: refs/heads/kairo-unborn"
				: head.startsWith("refs/") ? "ref: " + head : head;
		StoreFiles.writeHead(this.path, text);
		this.times.fetched("HEAD", remote.credential());
	}

	boolean isHeadFresh(@Nullable GitCredential credential) throws IOException {
		return this.times.isFresh("HEAD", credential, this.options.fetchAfter());
	}

	@Override
	public void close() throws IOException {
		this.lock.close();
	}

}

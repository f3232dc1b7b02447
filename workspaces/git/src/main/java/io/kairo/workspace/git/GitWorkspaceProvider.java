package io.kairo.workspace.git;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * A provider of workspaces with checkouts of remote Git repositories. A hint is
 * {@code git:<url>[#ref]}, where the ref is a branch, a tag, the id of a commit or at
 * least seven digits of it, {@code pull/<number>}, or a full name like
 * {@code refs/merge-requests/7/head}; the default is the default branch of the remote.
 * <p>
 * Each acquire creates a separate checkout; its release removes it. All checkouts of a
 * remote share the objects of one store, so that a further checkout downloads nothing
 * unless its ref is unknown or the last fetch of the same refs is older than
 * {@link GitOptions#fetchAfter()}. Stores that are fetched with a credential belong to
 * one tenant; stores of anonymous fetches are shared by all tenants.
 * <p>
 * No program that a repository names runs on this machine: no hook, no filter, no helper,
 * no merge or diff driver, neither when a checkout is created nor afterwards. Pointers of
 * Git LFS stay pointers and submodules stay empty directories. The {@code .git} inside a
 * checkout belongs to the agent and is never read by the provider.
 * <p>
 * {@link Workspace#metadata()} has {@code git.remote}, {@code git.commit},
 * {@code git.branch} if a branch is checked out, {@code git.ref} with the requested ref,
 * {@code git.client}, {@code git.submodules} with {@code skipped} and the number of
 * submodules if there are any, {@code git.lfs} with {@code pointers} and their number if
 * there are any, and {@code git.stale} and {@code git.fetched} if the remote was
 * unreachable.
 * <p>
 * Safe for use by several threads. Closing removes the checkouts that were not released.
 */
public final class GitWorkspaceProvider implements WorkspaceProvider, AutoCloseable {

	private static final long SWEEP_NANOS = TimeUnit.MINUTES.toNanos(10);

	private final GitOptions options;

	private final GitCredentials credentials;

	private final GitClient client;

	private final Path stores;

	private final Checkouts checkouts;

	private final StoreSweep storeSweep;

	private final LocalWorkspaceFilesFactory files;

	private final Map<Path, RemoteStore> open = new ConcurrentHashMap<>();

	private final Map<String, CheckoutHistory> acquired = new ConcurrentHashMap<>();

	private final AtomicLong lastSweep = new AtomicLong(System.nanoTime());

	/**
	 * Creates a provider, and removes checkouts of dead processes from its directory.
	 * @param options the options
	 * @param credentials the credentials for remotes
	 * @throws GitUnavailableException if the options require the program {@code git} and
	 * it cannot be run
	 * @throws WorkspaceException if the directory cannot be used
	 */
	public GitWorkspaceProvider(GitOptions options, GitCredentials credentials) {
		QuietSystemReader.install();
		this.options = options;
		this.credentials = credentials;
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withOwner(options.owner()));
		try {
			if (options.owner() == null) {
				OwnerOnly.createDirectories(options.directory());
			}
			OwnerOnly.createDirectory(options.directory());
			this.client = client(options, OwnerOnly.createDirectory(options.directory().resolve("home")));
			this.stores = OwnerOnly.createDirectory(options.directory().resolve("stores"));
			this.checkouts = new Checkouts(options.directory().resolve("checkouts"));
			this.storeSweep = new StoreSweep(this.stores, options.directory().resolve("checkouts"),
					options.storeIdleTimeout());
			sweep();
		}
		catch (IOException ex) {
			throw GitFailures.here(WorkspaceErrorCode.WRITE_FAILED,
					"The directory of the Git workspaces cannot be used",
					"configure one that this application may write to", ex);
		}
	}

	private static GitClient client(GitOptions options, Path home) {
		NativeGit found = (options.client() != GitClientKind.JGIT) ? NativeGit.find(home, options) : null;
		if (found == null && options.client() == GitClientKind.GIT) {
			throw new GitUnavailableException();
		}
		return (found != null) ? found : new JGitClient(options);
	}

	/**
	 * Returns the Git implementation in use.
	 * @return its name and version
	 */
	public String client() {
		return this.client.description();
	}

	/**
	 * Creates a checkout.
	 * @param request the hint, the tenant and whether files may be changed
	 * @return a new workspace that exists until it is released
	 * @throws WorkspacePathException if the hint is malformed, or names a remote that is
	 * not allowed
	 * @throws WorkspaceException {@code REMOTE_UNREACHABLE} if the remote cannot be
	 * reached, {@code REMOTE_REFUSED} if it refuses access, {@code REF_NOT_FOUND} if it
	 * has no such ref, {@code TOO_LARGE} if a limit in bytes is exceeded,
	 * {@code WRITE_FAILED} if the files cannot be written
	 */
	@Override
	public Workspace acquire(WorkspaceRequest request) {
		GitHint hint = GitHint.parse(request.hint());
		if (!this.options.allows(hint.url())) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH, "The remote " + hint.url()
					+ " is not allowed: use one that begins with one of " + this.options.allowedUrls());
		}
		sweepNowAndThen();
		GitRemote remote = remote(hint.url(), request.tenant());
		RemoteStore store = store(remote, request.tenant());
		FoundCommit commit;
		TreeFacts facts;
		try {
			commit = store.find(remote, hint.wanted(), Deadline.after(this.options.limits().timeout()));
			facts = store.measure(remote, hint.wanted(), commit.id());
		}
		catch (IOException ex) {
			throw GitFailures.here(WorkspaceErrorCode.READ_FAILED, "The objects of " + hint.url() + " cannot be read",
					"try again, or remove its store", ex);
		}
		return checkOut(request, hint, store, commit, facts);
	}

	private Workspace checkOut(WorkspaceRequest request, GitHint hint, RemoteStore store, FoundCommit commit,
			TreeFacts facts) {
		GitAuthor author = (this.options.author() != null) ? this.options.author() : GitAuthor.of(request.tenant());
		Checkouts.Checkout checkout = null;
		try {
			checkout = this.checkouts.create(hint.url());
			CheckoutRepositories repositories = new CheckoutRepositories(store.path(), hint.url(), commit);
			repositories.writeProviderRepository(OwnerOnly.createDirectory(checkout.gitDirectory()));
			OwnerOnly.createDirectory(checkout.tree());
			this.client.populate(checkout.gitDirectory(), checkout.tree(), commit.id(),
					Deadline.after(this.options.limits().timeout()));
			repositories.writeAgentRepository(checkout.tree().resolve(".git"), checkout.gitDirectory().resolve("index"),
					author);
			giveToOwner(checkout, store);
			String id = "git:" + hint.url() + "#" + ((commit.branch() != null) ? commit.branch() : commit.id()) + "@"
					+ checkout.number();
			Workspace tree = new GitWorkspace(id, checkout.tree(), request.writable(), Map.of(), null, store.objects());
			CheckoutHistory history = new CheckoutHistory(checkout, request.writable(), this.client,
					this.options.limits(), author, () -> remote(hint.url(), request.tenant()), commit.id(),
					() -> this.files.open(tree));
			this.acquired.put(id, history);
			return new GitWorkspace(id, checkout.tree(), request.writable(), metadata(hint, commit, facts), history,
					store.objects());
		}
		catch (IOException | RuntimeException ex) {
			boolean full = StoreSize.isMoreThanFits(facts.bytes(), this.stores);
			if (checkout != null) {
				discard(checkout, ex);
			}
			throw (ex instanceof RuntimeException unchecked) ? unchecked
					: GitFailures.here(WorkspaceErrorCode.WRITE_FAILED,
							"The files of " + hint.url() + " could not be written", "try again",
							full ? new IOException(GitFailures.FULL, ex) : (IOException) ex);
		}
	}

	/**
	 * Gives the files of a checkout to the configured owner, who can also read the
	 * objects that its repository borrows from the store.
	 */
	private void giveToOwner(Checkouts.Checkout checkout, RemoteStore store) throws IOException {
		HostUser owner = this.options.owner();
		if (owner == null) {
			return;
		}
		for (Path above : List.of(this.options.directory(), this.stores, store.path(),
				Objects.requireNonNull(checkout.directory().getParent()), checkout.directory())) {
			HostUser.letPass(above);
		}
		owner.ownTree(checkout.tree());
	}

	private static void discard(Checkouts.Checkout checkout, Exception failure) {
		try {
			new OwnedTree(checkout.directory()).remove();
		}
		catch (IOException ex) {
			failure.addSuppressed(ex);
		}
	}

	private Map<String, String> metadata(GitHint hint, FoundCommit commit, TreeFacts facts) {
		Map<String, String> metadata = new LinkedHashMap<>();
		metadata.put("git.remote", hint.url().text());
		metadata.put("git.commit", commit.id());
		metadata.put("git.ref", (hint.wanted().text() != null) ? hint.wanted().text() : "HEAD");
		metadata.put("git.client", this.client.description());
		if (commit.branch() != null) {
			metadata.put("git.branch", commit.branch());
		}
		if (facts.submodules() > 0) {
			metadata.put("git.submodules", "skipped " + facts.submodules());
		}
		if (facts.pointers() > 0) {
			metadata.put("git.lfs", "pointers " + facts.pointers());
		}
		if (commit.staleSince() != null) {
			metadata.put("git.stale", "true");
			metadata.put("git.fetched", commit.staleSince().toString());
		}
		return Map.copyOf(metadata);
	}

	private GitRemote remote(RemoteUrl url, TenantContext tenant) {
		return new GitRemote(url, url.overHttp() ? this.credentials.find(url.text(), tenant) : null);
	}

	/**
	 * Returns the store of a remote. With a credential it belongs to one tenant and one
	 * username.
	 */
	private RemoteStore store(GitRemote remote, TenantContext tenant) {
		GitCredential credential = remote.credential();
		String owner = (credential != null) ? tenant.tenantId() + "\n" + credential.username() : "";
		String name = Sha256.hex(remote.url() + "\n" + this.options.depth() + "\n" + owner, 16) + ".git";
		return open(this.stores.resolve(name));
	}

	private RemoteStore open(Path store) {
		return this.open.computeIfAbsent(store, (path) -> new RemoteStore(path, this.client, this.options));
	}

	@Override
	public void release(@Nullable String workspaceId) {
		CheckoutHistory history = (workspaceId != null) ? this.acquired.remove(workspaceId) : null;
		if (history != null) {
			try {
				remove(history);
			}
			catch (IOException ex) {
				throw GitFailures.here(WorkspaceErrorCode.WRITE_FAILED,
						"The checkout " + workspaceId + " could not be removed completely",
						"the next process that uses its directory does it", ex);
			}
		}
	}

	private void sweep() throws IOException {
		this.checkouts.sweep();
		this.storeSweep.run(this::open);
	}

	private void sweepNowAndThen() {
		long last = this.lastSweep.get();
		if (System.nanoTime() - last > SWEEP_NANOS && this.lastSweep.compareAndSet(last, System.nanoTime())) {
			try {
				sweep();
			}
			catch (IOException ex) {
				throw GitFailures.here(WorkspaceErrorCode.READ_FAILED, "The directory of the checkouts cannot be read",
						"grant this application read access", ex);
			}
		}
	}

	/**
	 * Removes the checkouts that were not released. Stores remain for later providers.
	 * @throws UncheckedIOException if a checkout could not be removed
	 */
	@Override
	public void close() {
		List<Closeable> all = new ArrayList<>();
		for (String id : List.copyOf(this.acquired.keySet())) {
			CheckoutHistory history = this.acquired.remove(id);
			if (history != null) {
				all.add(() -> remove(history));
			}
		}
		this.open.values().forEach((store) -> all.add(store::close));
		all.add(this.checkouts::close);
		IOException failure = null;
		for (Closeable one : all) {
			try {
				one.close();
			}
			catch (IOException ex) {
				if (failure != null) {
					ex.addSuppressed(failure);
				}
				failure = ex;
			}
		}
		if (failure != null) {
			throw new UncheckedIOException(failure);
		}
	}

	private static void remove(CheckoutHistory history) throws IOException {
		new OwnedTree(history.close().directory()).remove();
	}

	/**
	 * A workspace with the files of a checkout.
	 *
	 * @param id the id
	 * @param root the directory of the files
	 * @param writable whether the files may be changed
	 * @param metadata the remote, the commit and further entries about the checkout
	 * @param history the history, for comparing, committing and pushing; null while it is
	 * made
	 * @param objects the directory of the objects of the store, without other files
	 */
	private record GitWorkspace(String id, Path root, boolean writable, Map<String, String> metadata,
			@Nullable WorkspaceHistory history, Path objects) implements Workspace {

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.REMOTE_GIT;
		}

		/**
		 * {@inheritDoc} That is the directory of the objects of the store, without its
		 * configuration and fetch times. If the store was removed by hand, commands run
		 * without a history.
		 */
		@Override
		public List<Path> borrowedDirectories() {
			return Files.isDirectory(this.objects) ? List.of(this.objects) : List.of();
		}

	}

}

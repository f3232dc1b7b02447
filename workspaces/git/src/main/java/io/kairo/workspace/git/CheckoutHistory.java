package io.kairo.workspace.git;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.disk.tree.TreeReader;
import org.eclipse.jgit.api.AddCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;

/**
 * Compares, commits and pushes the files of a checkout through the repository beside it.
 * The repository inside it is not evaluated, as the agent may have put anything there; a
 * commit is recorded in it. Safe for use by several threads.
 */
final class CheckoutHistory implements WorkspaceHistory {

	private final ReentrantLock lock = new ReentrantLock(true);

	private final Checkouts.Checkout checkout;

	private final boolean writable;

	private final GitClient client;

	private final GitLimits limits;

	private final GitAuthor author;

	private final Supplier<GitRemote> remote;

	private final ObjectId acquired;

	private final TreeReader reader;

	private final AgentRepository agent;

	/** Guarded by the lock, like the field below. */
	private ObjectId last;

	private boolean closed;

	CheckoutHistory(Checkouts.Checkout checkout, boolean writable, GitClient client, GitLimits limits, GitAuthor author,
			Supplier<GitRemote> remote, String commit, Supplier<WorkspaceFiles> files) {
		this.checkout = checkout;
		this.writable = writable;
		this.client = client;
		this.limits = limits;
		this.author = author;
		this.remote = remote;
		this.acquired = ObjectId.fromString(commit);
		this.reader = new TreeReader(checkout.tree());
		this.agent = new AgentRepository(files, checkout.gitDirectory(), this.acquired);
		this.last = this.acquired;
	}

	/**
	 * Ends the history, after the operation in progress.
	 * @return the checkout, to be deleted
	 */
	Checkouts.Checkout close() {
		this.lock.lock();
		try {
			this.closed = true;
			return this.checkout;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public WorkspaceResult<String> diff() {
		return diff(() -> false);
	}

	@Override
	public WorkspaceResult<String> diff(BooleanSupplier over) {
		return perform(() -> {
			try (Repository repository = repository()) {
				ObjectId tree = StagedFiles.tree(repository, files(over));
				return WorkspaceResult
					.ok(TreeDiff.of(repository, lastTree(repository), tree, this.limits.maxDiffBytes(), over));
			}
		});
	}

	@Override
	public WorkspaceResult<String> commit(String message) {
		if (!this.writable) {
			return readOnly();
		}
		if (message.isBlank()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
					"The message of the commit is blank: say what was changed and why");
		}
		Deadline end = Deadline.after(this.limits.timeout());
		return perform(() -> {
			try (Repository repository = repository()) {
				ObjectId tree = StagedFiles.tree(repository, files(end::isOver));
				if (tree.equals(lastTree(repository))) {
					return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
							"Nothing has changed since " + this.last.name() + ": there is nothing to commit");
				}
				this.last = insert(repository, tree, message.strip() + "\n");
				this.agent.record(repository, this.last);
				return WorkspaceResult.ok(this.last.name());
			}
		});
	}

	private ObjectId insert(Repository repository, ObjectId tree, String message) throws IOException {
		CommitBuilder commit = new CommitBuilder();
		commit.setTreeId(tree);
		commit.setParentId(this.last);
		PersonIdent person = new PersonIdent(this.author.name(), this.author.email());
		commit.setAuthor(person);
		commit.setCommitter(person);
		commit.setMessage(message);
		try (ObjectInserter inserter = repository.newObjectInserter()) {
			ObjectId id = inserter.insert(commit);
			inserter.flush();
			Files.writeString(this.checkout.gitDirectory().resolve("HEAD"), id.name() + "\n");
			return id;
		}
	}

	@Override
	public WorkspaceResult<String> push(String branch) {
		if (!this.writable) {
			return readOnly();
		}
		if (branch.length() > 200 || branch.startsWith("-") || branch.startsWith("refs/") || branch.equals("HEAD")
				|| !Repository.isValidRefName("refs/heads/" + branch)) {
			return WorkspaceResult.failure(WorkspaceErrorCode.INVALID_PATH,
					WorkspacePath.quote(branch) + " cannot be the name of a branch: use one like fix/login-page");
		}
		return perform(() -> {
			if (this.last.equals(this.acquired)) {
				return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
						"Nothing was committed through this history, and commits of the program git in the checkout "
								+ "do not count: commit before pushing");
			}
			this.client.push(this.remote.get(), this.checkout.gitDirectory(), this.last.name(), branch,
					Deadline.after(this.limits.timeout()));
			return WorkspaceResult.ok(this.last.name());
		});
	}

	private Repository repository() throws IOException {
		return new IsolatedRepository(this.checkout.gitDirectory(), this.checkout.tree());
	}

	private ConfinedTree files(BooleanSupplier over) {
		return new ConfinedTree(this.reader, this.limits.maxCheckoutBytes(),
				() -> over.getAsBoolean() || Thread.currentThread().isInterrupted());
	}

	private ObjectId lastTree(Repository repository) throws IOException {
		try (RevWalk walk = new RevWalk(repository)) {
			return walk.parseCommit(this.last).getTree().copy();
		}
	}

	private static WorkspaceResult<String> readOnly() {
		return WorkspaceResult.failure(WorkspaceErrorCode.READ_ONLY,
				"This workspace may only be read: acquire it for writing");
	}

	private WorkspaceResult<String> perform(Operation operation) {
		this.lock.lock();
		try {
			return this.closed ? WorkspaceResult.failure(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
					"This workspace was released: acquire it again") : operation.run();
		}
		catch (WorkspaceException ex) {
			return WorkspaceResult.failure(ex.code(), String.valueOf(ex.getMessage()));
		}
		catch (IOException | JGitInternalException ex) {
			return failure(ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	private WorkspaceResult<String> failure(Exception ex) {
		if (TooLargeException.caused(ex)) {
			return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE,
					"The changed files have more than the %,d bytes that are allowed: remove large files, or have Git ignore them"
						.formatted(this.limits.maxCheckoutBytes()));
		}
		if (isLate(ex)) {
			return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE,
					"The files were not compared in time: remove large files, or have Git ignore them");
		}
		System.getLogger(CheckoutHistory.class.getName())
			.log(System.Logger.Level.WARNING, "The files of a checkout could not be compared", ex);
		return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
				"The files could not be read or written: make sure that no command changes them meanwhile, and try again");
	}

	private static boolean isLate(Exception failure) {
		return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
			.anyMatch(InterruptedIOException.class::isInstance);
	}

	/**
	 * An operation that runs under the lock.
	 */
	@FunctionalInterface
	private interface Operation {

		WorkspaceResult<String> run() throws IOException;

	}

	/**
	 * Stages the current files of a checkout in the index that belongs to the provider.
	 */
	private static final class StagedFiles {

		private StagedFiles() {
		}

		/**
		 * Adds new files that are not ignored, updates changed ones and removes deleted
		 * ones.
		 * @return the id of the staged tree
		 */
		static ObjectId tree(Repository repository, ConfinedTree files) throws IOException {
			DirCache before = repository.readDirCache();
			Map<String, ObjectId> submodules = new HashMap<>();
			for (int i = 0; i < before.getEntryCount(); i++) {
				DirCacheEntry entry = before.getEntry(i);
				if (FileMode.GITLINK.equals(entry.getRawMode())) {
					submodules.put(entry.getPathString(), entry.getObjectId());
				}
			}
			try {
				DirCache staged = new AddCommand(repository).addFilepattern(".")
					.setAll(true)
					.setWorkingTreeIterator(new ConfinedTreeIterator(repository, files, submodules))
					.call();
				try (ObjectInserter inserter = repository.newObjectInserter()) {
					ObjectId tree = staged.writeTree(inserter);
					inserter.flush();
					return tree;
				}
			}
			catch (GitAPIException ex) {
				throw new IOException(ex);
			}
		}

	}

}

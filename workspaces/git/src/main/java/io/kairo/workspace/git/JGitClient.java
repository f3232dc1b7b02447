package io.kairo.workspace.git;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheCheckout;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.FetchResult;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.TrackingRefUpdate;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.jspecify.annotations.Nullable;

/**
 * Eclipse JGit, running in this process.
 */
final class JGitClient implements GitClient {

	private final GitOptions options;

	JGitClient(GitOptions options) {
		this.options = options;
	}

	@Override
	public String description() {
		String version = Repository.class.getPackage().getImplementationVersion();
		return (version != null) ? "jgit " + version : "jgit";
	}

	@Override
	public @Nullable String head(GitRemote remote, Path store, Deadline deadline) throws IOException {
		return this.<@Nullable String>talk(remote, store, deadline, "look at", (local, transport) -> {
			try (FetchConnection connection = transport.openFetch()) {
				Ref head = connection.getRef("HEAD");
				ObjectId id = (head != null) ? head.getObjectId() : null;
				if (head == null || id == null) {
					return null;
				}
				return head.isSymbolic() ? head.getTarget().getName() : id.name();
			}
		});
	}

	@Override
	public void fetch(GitRemote remote, Path store, FetchSpec spec, Deadline deadline) throws IOException {
		talk(remote, store, deadline, "fetch from", (local, transport) -> {
			transport.setTagOpt(TagOpt.NO_TAGS);
			transport.setRemoveDeletedRefs(spec.prune());
			if (this.options.depth() > 0) {
				transport.setDepth(this.options.depth());
			}
			FetchResult result = transport.fetch(new DeadlineMonitor(deadline),
					spec.refSpecs().stream().map(RefSpec::new).toList());
			for (TrackingRefUpdate update : result.getTrackingRefUpdates()) {
				if (update.getResult() == RefUpdate.Result.LOCK_FAILURE
						|| update.getResult() == RefUpdate.Result.IO_FAILURE) {
					throw new IOException("a ref could not be written: " + update.getResult());
				}
			}
			return "";
		});
	}

	@Override
	public void populate(Path gitDirectory, Path tree, String commit, Deadline deadline) throws IOException {
		try (Repository repository = new IsolatedRepository(gitDirectory, tree);
				RevWalk walk = new RevWalk(repository)) {
			ObjectId files = walk.parseCommit(ObjectId.fromString(commit)).getTree().copy();
			DirCache index = repository.lockDirCache();
			try {
				DirCacheCheckout checkout = new DirCacheCheckout(repository, index, files);
				checkout.setFailOnConflict(true);
				checkout.setProgressMonitor(new DeadlineMonitor(deadline));
				checkout.checkout();
			}
			finally {
				index.unlock();
			}
		}
		if (deadline.isOver()) {
			throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "The files could not be written within "
					+ deadline.bound().toSeconds() + " seconds: allow more time", null);
		}
	}

	@Override
	public void push(GitRemote remote, Path gitDirectory, String commit, String branch, Deadline deadline)
			throws IOException {
		RemoteRefUpdate update = talk(remote, gitDirectory, deadline, "push to", (local, transport) -> {
			RemoteRefUpdate wanted = new RemoteRefUpdate(local, commit, ObjectId.fromString(commit),
					"refs/heads/" + branch, false, null, ObjectId.zeroId());
			transport.push(new DeadlineMonitor(deadline), List.of(wanted));
			return wanted;
		});
		switch (update.getStatus()) {
			case OK -> {
			}
			case REJECTED_REMOTE_CHANGED, REJECTED_NONFASTFORWARD, UP_TO_DATE ->
				throw GitFailures.conflict(remote, branch);
			default -> throw GitFailures.remote(remote, "error: remote rejected: " + update.getMessage(), "push to");
		}
	}

	private <T extends @Nullable Object> T talk(GitRemote remote, Path repository, Deadline deadline, String doing,
			Exchange<T> talk) throws IOException {
		if (remote.url().scheme().equals("ssh")) {
			throw new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED, "The remote " + remote.url()
					+ " is reached through ssh, which only the program git can do: install it", null);
		}
		long bytes = this.options.limits().maxStoreBytes() - StoreSize.of(repository);
		try (FetchBudget local = new FetchBudget(repository, bytes, deadline);
				Transport transport = Transport.open(local, new URIish(remote.url().text()))) {
			GitCredential credential = remote.credential();
			transport.setCredentialsProvider((credential != null)
					? new UsernamePasswordCredentialsProvider(credential.username(), credential.secret()) : null);
			transport.setTimeout(deadline.secondsLeft());
			return talk.with(local, transport);
		}
		catch (TransportException | URISyntaxException ex) {
			throw failure(remote, ex, doing, deadline);
		}
	}

	private WorkspaceException failure(GitRemote remote, Exception ex, String doing, Deadline deadline) {
		if (TooLargeException.caused(ex)) {
			return GitFailures.tooLarge(remote, this.options.limits().maxStoreBytes());
		}
		if (deadline.isOver()) {
			return GitFailures.timeout(remote, deadline);
		}
		StringBuilder said = new StringBuilder();
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			said.append("error: ").append(cause.getMessage()).append('\n');
		}
		return GitFailures.remote(remote, said.toString(), doing);
	}

	/**
	 * An exchange with a remote.
	 */
	@FunctionalInterface
	private interface Exchange<T extends @Nullable Object> {

		T with(Repository local, Transport transport) throws IOException;

	}

	/**
	 * A progress monitor that cancels at the deadline.
	 */
	private static final class DeadlineMonitor extends EmptyProgressMonitor {

		private final Deadline deadline;

		DeadlineMonitor(Deadline deadline) {
			this.deadline = deadline;
		}

		@Override
		public boolean isCancelled() {
			return this.deadline.isOver();
		}

	}

}

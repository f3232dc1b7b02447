package io.kairo.sandbox.remote;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.remote.protocol.ChangesMessage;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.StartMessage;
import io.kairo.sandbox.support.copy.CopyRemarks;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Roots;
import org.jspecify.annotations.Nullable;

/**
 * The copy of the directories of one command on a worker. Safe for use by several
 * threads.
 */
final class RemoteCopy {

	private static final Logger logger = System.getLogger(RemoteCopy.class.getName());

	private final Roots all;

	private final Roots copied;

	private final MountPlan plan;

	private final String tenant;

	private final long maxBytes;

	private final CopyHashes hashes;

	private final PrivateDirectory directory;

	private final Runnable onClose;

	private final CopyRemarks remarks = new CopyRemarks();

	private List<RootCopy> roots = List.of();

	/** The files as they were copied, by the hashes of their contents. */
	private Map<String, CopyTransfer.Content> sent = Map.of();

	private @Nullable CopyTransfer transfer;

	private @Nullable WorkerLease lease;

	private @Nullable String cancellation;

	private @Nullable Outcome outcome;

	private @Nullable CopyChanges changes;

	/** The directory of the received files. */
	private @Nullable Path staging;

	/**
	 * Prepares the copy. Does not access the disk.
	 * @param all the directories of the command
	 * @param copied the directories that are copied
	 * @param plan their mounts, protected paths and hidden directories
	 * @param maxBytes maximum size of all files, in each direction
	 * @param directory the parent of the directory of received files
	 * @param onClose called when this is closed
	 */
	RemoteCopy(Roots all, Roots copied, MountPlan plan, String tenant, long maxBytes, CopyHashes hashes,
			PrivateDirectory directory, Runnable onClose) {
		this.all = all;
		this.copied = copied;
		this.plan = plan;
		this.tenant = tenant;
		this.maxBytes = maxBytes;
		this.hashes = hashes;
		this.directory = directory;
		this.onClose = onClose;
	}

	/**
	 * Returns the name of a copied directory for the worker.
	 * @throws SandboxException if it is not copied
	 */
	String toRemote(Path directory) {
		return StartMessage.COPY + this.copied.toTarget(directory);
	}

	/**
	 * Returns the directory of this machine for a directory that the worker names.
	 * @return an existing directory that was copied, or null
	 */
	@Nullable Path toLocal(String name) {
		try {
			return name.startsWith(StartMessage.COPY)
					? this.all.toHost(Path.of(name.substring(StartMessage.COPY.length()))) : null;
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	/**
	 * Sends the directories to a worker.
	 * @param number the number of the command
	 * @param patience maximum time to repeat a request
	 * @throws WorkerRefusedException if the worker refuses them
	 * @throws CopyTransfer.ChangedException if a file was changed meanwhile
	 * @throws IOException if the worker does not answer
	 * @throws SandboxException if they cannot be read, or are too large
	 */
	synchronized void send(Worker worker, WorkerLease lease, long number, Duration patience)
			throws IOException, WorkerRefusedException {
		CopyTransfer used = new CopyTransfer(worker, lease.copyPath(number), patience);
		this.roots = this.copied.all().stream().map((root) -> new RootCopy(root, this.all, this.plan)).toList();
		Path file = this.directory.newPath("manifest");
		try {
			CopyManifest manifest = manifest(file);
			used.send(manifest.message(), manifest.contents());
			this.sent = manifest.contents();
			this.transfer = used;
			this.lease = lease;
			this.cancellation = lease.path(number) + "/cancel";
		}
		finally {
			Files.deleteIfExists(file);
		}
	}

	private CopyManifest manifest(Path file) throws CopyTransfer.ChangedException {
		try {
			return CopyManifest.write(this.roots, this.tenant, this.maxBytes, file, this.hashes);
		}
		catch (CopyTransfer.ChangedException ex) {
			throw ex;
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	/**
	 * Returns the failure of a start because the files cannot be copied.
	 */
	static SandboxException failed(IOException cause) {
		return new SandboxException(SandboxErrorCode.SETUP_FAILED,
				"The files of a command could not be copied to the worker: " + message(cause),
				"remove files that commands do not need, or let the operator allow more", cause);
	}

	/**
	 * Receives the changes of the command, unless they have been received. Nothing is
	 * applied yet. Waits until the command has ended.
	 * @param cancel whether to end it
	 * @return false if the worker was lost
	 */
	synchronized boolean fetch(boolean cancel) {
		Outcome known = this.outcome;
		if (known == null) {
			known = tryFetch(cancel);
			this.outcome = known;
		}
		return known != Outcome.LOST;
	}

	private Outcome tryFetch(boolean cancel) {
		CopyTransfer used = this.transfer;
		WorkerLease valid = this.lease;
		if (used == null || valid == null || valid.isEnded()) {
			return Outcome.LOST;
		}
		try {
			ChangesMessage message = used.changes(cancel ? this.cancellation : null, valid::isEnded);
			Path received = OwnerOnly.createDirectory(this.directory.newPath("copy"));
			this.staging = received;
			Path lines = null;
			if (message.changes() != null && message.size() > 0) {
				if (message.size() > CopyMessage.MOST_BYTES) {
					throw new IOException("their list has more than " + CopyMessage.MOST_BYTES + " bytes");
				}
				Path lists = OwnerOnly.createDirectory(received.resolve("list"));
				used.receive(Map.of(message.changes(), message.size()), lists, valid::isEnded);
				lines = lists.resolve(message.changes());
			}
			CopyChanges read = CopyChanges.read(lines, this.roots, this.maxBytes);
			Map<String, Long> wanted = read.wanted();
			wanted.keySet().removeIf((content) -> takeLocal(content, received.resolve(content)));
			used.receive(wanted, received, valid::isEnded);
			this.changes = read;
			return Outcome.RECEIVED;
		}
		catch (WorkerRefusedException ex) {
			return ex.isGone() ? Outcome.LOST : failed(ex.error().problem(), ex);
		}
		catch (IOException | IllegalArgumentException ex) {
			return valid.isEnded() ? Outcome.LOST : failed(message(ex), ex);
		}
	}

	/**
	 * Takes a content from a file that had it when it was copied, such as a file that the
	 * command has renamed.
	 * @return whether it still has it
	 */
	private boolean takeLocal(String content, Path target) {
		CopyTransfer.Content known = this.sent.get(content);
		if (known == null) {
			return false;
		}
		boolean same = false;
		try {
			same = CopyTransfer.copy(known, target).equals(content);
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A file was changed meanwhile, so that its content has to be received", ex);
		}
		if (!same) {
			delete(target);
		}
		return same;
	}

	private static void delete(Path file) {
		try {
			Files.deleteIfExists(file);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A file that was copied in part cannot be deleted", ex);
		}
	}

	private Outcome failed(String reason, Exception cause) {
		logger.log(Level.WARNING, "What a command changed was not copied back: " + reason);
		logger.log(Level.DEBUG, "The copy of a command could not be read", cause);
		this.remarks.addFailure(reason);
		return Outcome.FAILED;
	}

	/**
	 * Applies the changes of the command.
	 * @return the changes that were not copied back, each a line for the user
	 */
	synchronized List<String> apply() {
		CopyChanges received = this.changes;
		Path contents = this.staging;
		if (received != null && contents != null) {
			this.changes = null;
			try {
				received.apply(contents, this.remarks);
			}
			catch (IOException ex) {
				this.outcome = failed(message(ex), ex);
			}
		}
		else if (this.outcome != Outcome.FAILED) {
			this.remarks.addFailure("the worker was lost before it sent the changes");
		}
		return this.remarks.lines();
	}

	private static String message(Exception failure) {
		String reason = (failure instanceof FileSystemException known) ? known.getReason() : failure.getMessage();
		return (reason != null) ? reason : failure.getClass().getSimpleName();
	}

	/**
	 * Removes the received files.
	 */
	synchronized void close() {
		this.onClose.run();
		try {
			if (this.staging != null) {
				TreeDeletion.delete(this.staging);
				this.staging = null;
			}
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The received changes of a command could not be removed", ex);
		}
	}

	private enum Outcome {

		RECEIVED, FAILED, LOST

	}

}

package io.kairo.sandbox.remote.server;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.host.OwnerOnly;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.remote.protocol.ChangesMessage;
import io.kairo.sandbox.remote.protocol.CopyLine;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.MissingMessage;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.remote.protocol.WantedMessage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The copy of the directories of one command. First its client sends the missing
 * contents, then the directories are created, and when the command has ended, the client
 * asks for the changes. Safe for use by several threads.
 */
final class ServedCopy {

	/** So many hashes are shorter than the longest answer. */
	private static final int MOST_MISSING = 8000;

	private static final Logger logger = System.getLogger(ServedCopy.class.getName());

	private final ServedCopies copies;

	private final CopyMessage message;

	private final long created = System.nanoTime();

	private final Runnable onClose;

	/** Held while files are read or written. */
	private final Object files = new Object();

	private final HeldContents contents;

	private final Uploads uploads;

	private final ChangedContents changed;

	private @Nullable Path directory;

	private @Nullable Manifest manifest;

	private volatile @Nullable CopyTree tree;

	private @Nullable CompletableFuture<MissingMessage> preparation;

	private @Nullable CompletableFuture<ChangesMessage> changes;

	private @Nullable Mono<SandboxExit> exit;

	private volatile boolean closed;

	/**
	 * Creates an empty copy.
	 * @param owner the client and the tenant, as a name
	 * @param onClose called once, when this is closed
	 */
	ServedCopy(ServedCopies copies, String owner, CopyMessage message, Runnable onClose) {
		this.copies = copies;
		this.message = message;
		this.onClose = onClose;
		this.contents = new HeldContents(copies, owner);
		this.uploads = new Uploads(this.contents);
		this.changed = new ChangedContents(this.contents);
	}

	CopyMessage message() {
		return this.message;
	}

	/**
	 * Returns whether this was created before a time, and no command was started with it.
	 */
	synchronized boolean isUnusedSince(long nanos) {
		return this.exit == null && this.created - nanos < 0;
	}

	/**
	 * Creates the directories, if everything is there for it.
	 * @return the missing contents, completed later
	 */
	synchronized CompletableFuture<MissingMessage> prepare() {
		CompletableFuture<MissingMessage> running = this.preparation;
		if (running == null || (running.isDone() && this.tree == null)) {
			running = CompletableFuture.supplyAsync(() -> refusing(this::tryPrepare), this.copies.executor());
			this.preparation = running;
		}
		return running;
	}

	private MissingMessage tryPrepare() throws IOException {
		synchronized (this.files) {
			requireOpen();
			if (this.tree == null) {
				List<String> missing = missing();
				if (!missing.isEmpty()) {
					return new MissingMessage(missing, false);
				}
				fill(this.manifest);
				this.contents.releaseAll();
			}
			return new MissingMessage(List.of(), true);
		}
	}

	private List<String> missing() throws IOException {
		Manifest known = this.manifest;
		if (known == null) {
			if (!this.contents.hold(this.message.manifest())) {
				return List.of(this.message.manifest());
			}
			known = new Manifest(this.copies.maxBytes());
			try (InputStream lines = Files.newInputStream(this.contents.path(this.message.manifest()))) {
				CopyLine.read(lines, known);
			}
			if (known.roots().isEmpty()) {
				throw new IllegalArgumentException("The manifest has no directory");
			}
			this.manifest = known;
		}
		List<String> missing = new ArrayList<>();
		for (String content : known.contents().keySet()) {
			if (missing.size() < MOST_MISSING && !this.contents.hold(content)) {
				missing.add(content);
			}
		}
		return missing;
	}

	private void fill(@Nullable Manifest known) throws IOException {
		if (known == null) {
			throw new IllegalStateException("There is no manifest");
		}
		Path path = this.copies.newPath();
		CopyTree filled = new CopyTree(known, path, this.copies.owner(), () -> this.closed);
		boolean complete = false;
		try {
			OwnerOnly.createDirectory(path);
			if (this.copies.owner() != null) {
				this.copies.owner().own(path);
			}
			filled.fill(this.contents);
			this.directory = path;
			this.tree = filled;
			complete = true;
		}
		finally {
			if (!complete) {
				TreeDeletion.delete(path);
			}
		}
	}

	/**
	 * Takes parts of contents that are missing. Parts that were received before are
	 * skipped, so that a request can be repeated.
	 * @throws RefusedRequestException if they do not continue the received part, have
	 * another hash, or are not missing
	 */
	void receive(byte[] body) {
		Piece.read(body, (piece) -> refusing(() -> receive(piece)));
	}

	private Piece receive(Piece piece) throws IOException {
		synchronized (this.files) {
			requireOpen();
			if (this.tree == null && !this.contents.hold(piece.sha256())) {
				this.uploads.receive(piece, size(piece.sha256()));
			}
			return piece;
		}
	}

	private long size(String content) {
		Manifest known = this.manifest;
		Long size = content.equals(this.message.manifest()) ? (Long) this.message.size()
				: (known != null) ? known.contents().get(content) : null;
		if (size == null) {
			throw new RefusedRequestException(ErrorMessage.INVALID_REQUEST,
					"The content " + content + " is not missing", "send what the worker asks for");
		}
		return size;
	}

	/**
	 * Returns the real path of the directory of the copy.
	 * @throws RefusedRequestException if it is not complete
	 */
	Path directory() {
		Path own = this.directory;
		try {
			if (this.tree != null && own != null) {
				return own.toRealPath();
			}
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The directory of a copy is gone", ex);
		}
		throw new RefusedRequestException(ErrorMessage.CONFLICT, "The copy of the command is not complete",
				"send what is missing before the command is started");
	}

	/**
	 * Returns the directory of this machine for one of the client.
	 * @throws RefusedRequestException if it is not copied, or a link leads elsewhere
	 */
	Path directory(String target) {
		Path own = directory();
		CopyTree known = Objects.requireNonNull(this.tree, "tree");
		try {
			Path found = known.toLocal(Path.of(target));
			if (found != null && (!Files.exists(found) || found.toRealPath().startsWith(own))) {
				return found;
			}
		}
		catch (InvalidPathException | IOException ex) {
			logger.log(Level.DEBUG, "A directory cannot be used", ex);
		}
		throw new RefusedRequestException(ErrorMessage.FORBIDDEN, "The directory '" + target + "' is not in the copy",
				"use a directory that was copied");
	}

	/**
	 * Returns the path of the client for a directory of this machine.
	 * @return null if it lies in no copied directory
	 */
	@Nullable Path toClient(Path directory) {
		CopyTree known = this.tree;
		return (known != null) ? known.toClient(directory) : null;
	}

	/**
	 * Takes note of the command of this copy.
	 * @param exit the exit of the command
	 */
	void started(Mono<SandboxExit> exit) {
		synchronized (this) {
			this.exit = exit;
		}
		if (this.closed) {
			exit.subscribe((end) -> deleteLater());
		}
	}

	/**
	 * Returns the changes of the command.
	 * @return the changes, completed when the command has ended and they are known
	 */
	synchronized CompletableFuture<ChangesMessage> changes() {
		Mono<SandboxExit> end = this.exit;
		if (end == null) {
			throw new RefusedRequestException(ErrorMessage.CONFLICT, "No command was started with the copy",
					"start it first");
		}
		CompletableFuture<ChangesMessage> known = this.changes;
		if (known == null) {
			known = end.toFuture().thenApplyAsync((exit) -> refusing(this::findChanges), this.copies.executor());
			this.changes = known;
		}
		return known;
	}

	private ChangesMessage findChanges() throws IOException {
		synchronized (this.files) {
			CopyTree known = this.tree;
			requireOpen();
			Path file = this.copies.newPath();
			try {
				try (OutputStream lines = new BufferedOutputStream(
						Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
					if (known != null) {
						known.changes(this.changed, lines, this.copies.maxBytes());
					}
				}
				long size = Files.size(file);
				if (size == 0) {
					return new ChangesMessage(true, null, 0);
				}
				return new ChangesMessage(true, this.changed.add(file, size), size);
			}
			finally {
				Files.deleteIfExists(file);
			}
		}
	}

	/**
	 * Returns parts of contents that were changed, as many as one response may have.
	 * @throws RefusedRequestException if one of them is not among the changes
	 */
	byte[] read(WantedMessage wanted) {
		requireOpen();
		return refusing(() -> this.changed.read(wanted));
	}

	/**
	 * Removes the directories when the command has ended. Does nothing if that has
	 * happened.
	 */
	void close() {
		Mono<SandboxExit> end;
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			end = this.exit;
		}
		this.onClose.run();
		if (end != null) {
			end.subscribe((exit) -> deleteLater());
		}
		else {
			deleteLater();
		}
	}

	private void deleteLater() {
		try {
			this.copies.executor().execute(this::delete);
		}
		catch (RejectedExecutionException ex) {
			logger.log(Level.TRACE, "The server is closed, and removes everything", ex);
		}
	}

	private void delete() {
		synchronized (this.files) {
			this.contents.releaseAll();
			try {
				this.uploads.deleteAll();
				if (this.directory != null) {
					TreeDeletion.delete(this.directory);
				}
			}
			catch (IOException ex) {
				logger.log(Level.WARNING, "The copy of a command could not be removed; the next server does", ex);
			}
		}
	}

	private void requireOpen() {
		if (this.closed) {
			throw new RefusedRequestException(ErrorMessage.COMMAND_GONE, "The copy is closed", "send another one");
		}
	}

	/**
	 * Runs an action, and refuses the request if it fails.
	 */
	private static <T> T refusing(Action<T> action) {
		try {
			return action.run();
		}
		catch (IOException ex) {
			throw failed(ex);
		}
	}

	private static RefusedRequestException failed(IOException cause) {
		logger.log(Level.DEBUG, "The copy of a command failed", cause);
		String reason = (cause instanceof FileSystemException known) ? known.getReason() : cause.getMessage();
		return new RefusedRequestException(new ErrorMessage(SandboxErrorCode.SETUP_FAILED.code(),
				"The directories cannot be copied: " + ((reason != null) ? reason : cause.getClass().getSimpleName()),
				"copy less, or see the log of the worker"), cause);
	}

	private interface Action<T> {

		T run() throws IOException;

	}

}

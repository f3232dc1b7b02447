package io.kairo.sandbox.remote;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.kairo.host.Sha256;
import io.kairo.sandbox.remote.protocol.ChangesMessage;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.MissingMessage;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.remote.protocol.WantedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Sends the contents of a copy to a worker, and receives the ones that a command has
 * changed. The answers of the worker are not trusted. For use by one thread at a time.
 */
final class CopyTransfer {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final int LONGEST_ANSWER = 1 << 20;

	/** Maximum number of contents in one request. */
	private static final int MOST_WANTED = 4000;

	/** A worker that has no room asks for a content again. */
	private static final int MOST_SENT = 3;

	private static final long PREPARATION_NANOS = Duration.ofMinutes(10).toNanos();

	private final Worker worker;

	private final String path;

	private final Duration patience;

	/**
	 * Creates the transfer.
	 * @param path the path of the copy
	 * @param patience maximum time to repeat a request before the command has started
	 */
	CopyTransfer(Worker worker, String path, Duration patience) {
		this.worker = worker;
		this.path = path;
		this.patience = patience;
	}

	/**
	 * Lets the worker create the directories, and sends the contents that it is missing.
	 * @param contents finds the contents by their hash
	 * @throws WorkerRefusedException if the worker refuses the copy
	 * @throws ChangedException if a file has changed since it was hashed
	 * @throws IOException if the worker does not answer, or a file cannot be read
	 */
	void send(CopyMessage message, Map<String, Content> contents) throws IOException, WorkerRefusedException {
		byte[] body = Messages.write(message);
		Map<String, Integer> sent = new HashMap<>();
		long deadline = System.nanoTime() + PREPARATION_NANOS;
		while (true) {
			MissingMessage answer = read(put(this.path, body), MissingMessage.class);
			if (answer.ready()) {
				return;
			}
			for (String content : answer.missing()) {
				if (!contents.containsKey(content) || sent.merge(content, 1, Integer::sum) > MOST_SENT) {
					throw new IOException("The worker asks for a content that it cannot be missing");
				}
			}
			if (answer.missing().isEmpty()) {
				Worker.pause(Worker.FIRST_PAUSE_MILLIS);
			}
			if (System.nanoTime() > deadline) {
				throw new IOException("The worker did not finish the directories of the command");
			}
			send(answer.missing(), contents);
		}
	}

	private void send(List<String> missing, Map<String, Content> contents) throws IOException, WorkerRefusedException {
		long total = 0;
		for (String each : missing) {
			total += Piece.HEADER + size(contents, each);
		}
		ByteBuffer pieces = ByteBuffer.allocate((int) Math.min(Piece.MOST_BYTES, total));
		for (String each : missing) {
			Content content = contents.get(each);
			if (content == null) {
				throw new IllegalStateException("There is no content " + each);
			}
			MessageDigest digest = Sha256.digest();
			try (FileChannel file = open(content)) {
				for (long position = 0; position < content.size();) {
					if (pieces.remaining() <= Piece.HEADER) {
						flush(pieces);
					}
					int length = (int) Math.min(pieces.remaining() - Piece.HEADER, content.size() - position);
					Piece.putHeader(pieces, each, position, length);
					ByteBuffer target = pieces.slice(pieces.position(), length);
					read(file, target, position, content);
					digest.update(target.flip());
					pieces.position(pieces.position() + length);
					position += length;
				}
			}
			if (!HexFormat.of().formatHex(digest.digest()).equals(each)) {
				throw new ChangedException(content.name() + " was changed while it was copied");
			}
		}
		flush(pieces);
	}

	private static FileChannel open(Content content) throws ChangedException {
		try {
			return content.open();
		}
		catch (IOException ex) {
			throw new ChangedException(content.name() + " was changed while it was copied", ex);
		}
	}

	private static long size(Map<String, Content> contents, String content) {
		Content known = contents.get(content);
		return (known != null) ? known.size() : 0;
	}

	private static void read(FileChannel file, ByteBuffer target, long position, Content content) throws IOException {
		while (target.hasRemaining()) {
			if (file.read(target, position + target.position()) < 0) {
				throw new ChangedException(content.name() + " was changed while it was copied");
			}
		}
	}

	private void flush(ByteBuffer pieces) throws IOException, WorkerRefusedException {
		byte[] body = new byte[pieces.flip().remaining()];
		pieces.get(body).clear();
		if (body.length > 0) {
			put(this.path + "/content", body);
		}
	}

	/**
	 * Sends a request until it is answered. A request that did not reach the worker is
	 * not repeated, since another worker may be there.
	 */
	private byte[] put(String target, byte[] body) throws IOException, WorkerRefusedException {
		long deadline = System.nanoTime() + this.patience.toNanos();
		boolean[] unsent = new boolean[1];
		return Worker.repeat(() -> unsent[0] || System.nanoTime() > deadline, () -> {
			try {
				return this.worker.exchange("PUT", target, body, LONGEST_ANSWER, TIMEOUT);
			}
			catch (IOException ex) {
				unsent[0] = Worker.isUnsent(ex);
				throw ex;
			}
		});
	}

	/**
	 * Returns the changes of the command, as soon as it has ended.
	 * @param cancellation the path of a request that ends it before; null to wait for it
	 * @param over tells whether to give up
	 * @throws WorkerRefusedException if the worker refuses it
	 * @throws IOException if the worker does not answer
	 */
	ChangesMessage changes(@Nullable String cancellation, BooleanSupplier over)
			throws IOException, WorkerRefusedException {
		while (true) {
			if (cancellation != null) {
				Worker.repeat(over,
						() -> this.worker.exchange("POST", cancellation, new byte[0], LONGEST_ANSWER, TIMEOUT));
			}
			ChangesMessage answer = read(Worker.repeat(over,
					() -> this.worker.exchange("GET", this.path + "/changes", new byte[0], LONGEST_ANSWER, TIMEOUT)),
					ChangesMessage.class);
			if (answer.ready()) {
				return answer;
			}
			if (over.getAsBoolean()) {
				throw new IOException("The worker did not tell the changes");
			}
			Worker.pause(Worker.FIRST_PAUSE_MILLIS);
		}
	}

	/**
	 * Receives contents into files with their hashes as names.
	 * @param wanted the sizes of the contents by their hashes, without the empty one
	 * @param directory the directory of the files
	 * @param over tells whether to give up
	 * @throws WorkerRefusedException if the worker refuses one
	 * @throws IOException if the worker does not answer, or sends something else
	 */
	void receive(Map<String, Long> wanted, Path directory, BooleanSupplier over)
			throws IOException, WorkerRefusedException {
		Map<String, Download> left = new LinkedHashMap<>();
		wanted.forEach((content, size) -> left.put(content, new Download(directory.resolve(content), size)));
		while (!left.isEmpty()) {
			List<WantedMessage.Content> asked = new ArrayList<>();
			left.entrySet()
				.stream()
				.limit(MOST_WANTED)
				.forEach((each) -> asked.add(new WantedMessage.Content(each.getKey(), each.getValue().received)));
			byte[] body = Messages.write(new WantedMessage(asked));
			byte[] answer = Worker.repeat(over,
					() -> this.worker.exchange("POST", this.path + "/content", body, Piece.MOST_BYTES, TIMEOUT));
			if (answer.length <= Piece.HEADER) {
				throw new IOException("The worker sends nothing of a content");
			}
			List<Piece> pieces = new ArrayList<>();
			try {
				Piece.read(answer, pieces::add);
			}
			catch (IllegalArgumentException ex) {
				throw new IOException("The worker sent something else: " + ex.getMessage(), ex);
			}
			for (Piece piece : pieces) {
				Download download = left.get(piece.sha256());
				if (download == null) {
					throw new IOException("The worker sent a content that it was not asked for");
				}
				if (download.append(piece)) {
					left.remove(piece.sha256());
				}
			}
		}
	}

	/**
	 * Copies a content of this machine.
	 * @param target the path of a new file; a failure leaves it incomplete
	 * @return the hash of the copied bytes
	 * @throws IOException if it cannot be copied
	 */
	static String copy(Content content, Path target) throws IOException {
		MessageDigest digest = Sha256.digest();
		ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
		try (FileChannel source = content.open();
				FileChannel copy = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
			for (long left = content.size(); left > 0; left -= buffer.limit()) {
				buffer.clear().limit((int) Math.min(left, buffer.capacity()));
				read(source, buffer, content.size() - left, content);
				digest.update(buffer.flip());
				buffer.rewind();
				while (buffer.hasRemaining()) {
					copy.write(buffer);
				}
			}
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	private static <T> T read(byte[] answer, Class<T> type) throws IOException {
		try {
			return Messages.read(answer, type);
		}
		catch (IllegalArgumentException ex) {
			throw new IOException("The worker sent something else: " + ex.getMessage(), ex);
		}
	}

	/**
	 * A content to send.
	 */
	interface Content {

		/**
		 * Returns the name of the file, for messages.
		 */
		String name();

		long size();

		FileChannel open() throws IOException;

	}

	/**
	 * Thrown if a file was changed while it was copied: the next attempt may succeed.
	 */
	static final class ChangedException extends IOException {

		private static final long serialVersionUID = 1L;

		ChangedException(String message) {
			super(message);
		}

		ChangedException(String message, IOException cause) {
			super(message, cause);
		}

	}

	private static final class Download {

		private final Path file;

		private final long size;

		private final MessageDigest digest = Sha256.digest();

		private long received;

		Download(Path file, long size) {
			this.file = file;
			this.size = size;
		}

		/**
		 * Adds a part.
		 * @return whether the content is complete
		 * @throws IOException if it does not continue, or is another one
		 */
		boolean append(Piece piece) throws IOException {
			int length = piece.bytes().remaining();
			if (piece.from() != this.received || length == 0 || length > this.size - this.received) {
				throw new IOException("The worker sent " + length + " bytes at " + piece.from() + " of a content with "
						+ this.size + " bytes, of which " + this.received + " were received");
			}
			this.digest.update(piece.bytes().duplicate());
			try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.CREATE,
					StandardOpenOption.WRITE)) {
				long position = this.received;
				for (ByteBuffer left = piece.bytes().duplicate(); left.hasRemaining();) {
					position += channel.write(left, position);
				}
			}
			this.received += length;
			if (this.received < this.size) {
				return false;
			}
			if (!HexFormat.of().formatHex(this.digest.digest()).equals(piece.sha256())) {
				throw new IOException("The worker sent another content than it announced");
			}
			return true;
		}

	}

}

package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

import io.kairo.host.Sha256;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Piece;

/**
 * The contents of a copy that have been received in part. For use by one thread at a
 * time.
 */
final class Uploads {

	private final HeldContents contents;

	private final Map<String, Upload> uploads = new HashMap<>();

	/**
	 * Creates uploads, none to begin with.
	 * @param contents takes the complete contents
	 */
	Uploads(HeldContents contents) {
		this.contents = contents;
	}

	/**
	 * Takes a part of a content. Bytes that were received before are skipped.
	 * @param size the size of the content
	 * @throws RefusedRequestException if there is a gap before the part, or the content
	 * has another hash
	 * @throws IOException if it cannot be stored
	 */
	void receive(Piece piece, long size) throws IOException {
		Upload upload = this.uploads.get(piece.sha256());
		if (upload == null) {
			upload = new Upload(this.contents.newPath(), size);
			this.uploads.put(piece.sha256(), upload);
		}
		upload.append(piece);
		if (upload.received == size) {
			this.uploads.remove(piece.sha256());
			if (!HexFormat.of().formatHex(upload.digest.digest()).equals(piece.sha256())) {
				Files.deleteIfExists(upload.file);
				throw new RefusedRequestException(ErrorMessage.CONFLICT,
						"The content " + piece.sha256() + " has another hash", "send it as it was when it was hashed");
			}
			this.contents.add(piece.sha256(), upload.file, size);
		}
	}

	void deleteAll() throws IOException {
		for (Upload upload : this.uploads.values()) {
			Files.deleteIfExists(upload.file);
		}
		this.uploads.clear();
	}

	private static final class Upload {

		private final Path file;

		private final long size;

		private final MessageDigest digest = Sha256.digest();

		private long received;

		Upload(Path file, long size) {
			this.file = file;
			this.size = size;
		}

		void append(Piece piece) throws IOException {
			int length = piece.bytes().remaining();
			if (piece.from() > this.received || length > this.size - piece.from()) {
				throw new RefusedRequestException(ErrorMessage.CONFLICT,
						"The content " + piece.sha256() + " has " + this.size + " bytes, of which " + this.received
								+ " were received, and continues with " + length + " at " + piece.from(),
						"send it from there");
			}
			int known = (int) Math.min(length, this.received - piece.from());
			ByteBuffer added = piece.bytes().slice(known, length - known);
			if (added.hasRemaining()) {
				try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.CREATE,
						StandardOpenOption.WRITE)) {
					long position = this.received;
					for (ByteBuffer left = added.duplicate(); left.hasRemaining();) {
						position += channel.write(left, position);
					}
				}
				this.digest.update(added.duplicate());
				this.received += added.remaining();
			}
		}

	}

}

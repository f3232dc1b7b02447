package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.remote.protocol.WantedMessage;

/**
 * The contents that a command has changed: the only ones that its client may read. Safe
 * for use by several threads, but only one adds contents.
 */
final class ChangedContents implements CopyTree.Contents {

	private final HeldContents contents;

	private final Map<String, Long> sizes = new ConcurrentHashMap<>();

	/**
	 * Creates changed contents, none to begin with.
	 * @param contents stores them
	 */
	ChangedContents(HeldContents contents) {
		this.contents = contents;
	}

	@Override
	public Path path(String content) {
		return this.contents.path(content);
	}

	@Override
	public String add(Path file, long size) throws IOException {
		String content = this.contents.add(file, size);
		this.sizes.put(content, size);
		return content;
	}

	/**
	 * Returns parts of contents, as many as one response may have.
	 * @throws RefusedRequestException if one of them is not among the changes
	 */
	byte[] read(WantedMessage wanted) throws IOException {
		ByteBuffer pieces = ByteBuffer.allocate(room(wanted));
		for (WantedMessage.Content each : wanted.contents()) {
			if (pieces.remaining() <= Piece.HEADER) {
				break;
			}
			read(each, size(each), pieces);
		}
		byte[] body = new byte[pieces.flip().remaining()];
		pieces.get(body);
		return body;
	}

	private int room(WantedMessage wanted) {
		long room = 0;
		for (WantedMessage.Content each : wanted.contents()) {
			room += Piece.HEADER + size(each) - each.from();
		}
		return (int) Math.min(room, Piece.MOST_BYTES);
	}

	private long size(WantedMessage.Content wanted) {
		Long size = this.sizes.get(wanted.sha256());
		if (size == null || wanted.from() > size) {
			throw new RefusedRequestException(ErrorMessage.INVALID_REQUEST,
					"The content " + wanted.sha256() + " is not among the changes", "ask for one that is");
		}
		return size;
	}

	private void read(WantedMessage.Content wanted, long size, ByteBuffer pieces) throws IOException {
		int length = (int) Math.min(pieces.remaining() - Piece.HEADER, size - wanted.from());
		Piece.putHeader(pieces, wanted.sha256(), wanted.from(), length);
		ByteBuffer target = pieces.slice(pieces.position(), length);
		try (FileChannel file = FileChannel.open(path(wanted.sha256()), StandardOpenOption.READ)) {
			int count = 0;
			while (target.hasRemaining() && count >= 0) {
				count = file.read(target, wanted.from() + target.position());
			}
		}
		pieces.position(pieces.position() + length);
	}

}

package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The client side of a connection until the head of its request has been read. For use by
 * one thread.
 */
final class Client {

	private static final long DRAIN_NANOS = 500_000_000;

	private static final long MOST_DRAINED_BYTES = 8 << 20;

	private final SocketChannel channel;

	private final Selector selector;

	/** Holds the head, and then the bytes received after it. */
	private final ByteBuffer received;

	private int checked;

	Client(SocketChannel channel, Selector selector, int headBytes) {
		this.channel = channel;
		this.selector = selector;
		this.received = ByteBuffer.allocate(headBytes);
	}

	/**
	 * Reads the head of a request.
	 * @return the head without the empty line at its end; empty if the client closed the
	 * connection without a request
	 * @throws ProxyRefusedException if the head is too long, does not arrive in time, or
	 * has line terminators that parsers could interpret differently
	 */
	String readHead(Duration timeout) throws IOException, ProxyRefusedException {
		long deadline = System.nanoTime() + timeout.toNanos();
		SelectionKey key = this.channel.register(this.selector, SelectionKey.OP_READ);
		try {
			while (true) {
				int end = findEnd();
				if (end >= 0) {
					return takeHead(end);
				}
				if (!this.received.hasRemaining()) {
					throw new ProxyRefusedException(Refusal.HEAD_TOO_LARGE);
				}
				long left = (deadline - System.nanoTime()) / 1_000_000;
				if (left <= 0) {
					throw new ProxyRefusedException(Refusal.HEAD_TIMEOUT);
				}
				this.selector.select(left);
				this.selector.selectedKeys().clear();
				if (this.channel.read(this.received) < 0) {
					return "";
				}
			}
		}
		finally {
			key.interestOps(0);
		}
	}

	/**
	 * Returns the bytes that the client sent after the head.
	 */
	ByteBuffer rest() {
		return this.received;
	}

	/**
	 * Sends a short response, as far as the client accepts it without blocking.
	 */
	void answer(String text) throws IOException {
		this.channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
	}

	void refuse(Refusal refusal) throws IOException {
		String text = "kairo: " + refusal.text() + " (" + refusal.code() + ")\n";
		answer("HTTP/1.1 " + refusal.status() + " " + refusal.code() + "\r\nProxy-Status: kairo; error="
				+ refusal.proxyStatus() + "\r\nContent-Type: text/plain\r\nContent-Length: " + text.length()
				+ "\r\nConnection: close\r\n\r\n" + text);
		this.channel.shutdownOutput();
		drain();
	}

	/**
	 * Reads the remaining bytes of the client, for a while: a connection that is closed
	 * with unread bytes is reset, and the client may lose the response.
	 */
	private void drain() throws IOException {
		long deadline = System.nanoTime() + DRAIN_NANOS;
		SelectionKey key = this.channel.register(this.selector, SelectionKey.OP_READ);
		for (long drained = 0; drained < MOST_DRAINED_BYTES;) {
			long left = (deadline - System.nanoTime()) / 1_000_000;
			int count = this.channel.read(this.received.clear());
			if (count < 0 || left <= 0) {
				break;
			}
			if (count == 0) {
				this.selector.select(left);
				this.selector.selectedKeys().clear();
			}
			drained += count;
		}
		key.interestOps(0);
	}

	private String takeHead(int end) {
		String head = new String(this.received.array(), 0, end, StandardCharsets.ISO_8859_1);
		this.received.flip().position(end + 2);
		return head;
	}

	/**
	 * Returns the position of the empty line, or -1 if it has not arrived yet.
	 */
	private int findEnd() throws ProxyRefusedException {
		byte[] bytes = this.received.array();
		for (; this.checked < this.received.position(); this.checked++) {
			int at = this.checked;
			if (bytes[at] == 0 || (bytes[at] == '\n' && (at == 0 || bytes[at - 1] != '\r'))) {
				throw new ProxyRefusedException(Refusal.BAD_REQUEST);
			}
			if (bytes[at] == '\n' && at >= 3 && bytes[at - 2] == '\n') {
				return at - 1;
			}
		}
		return -1;
	}

}

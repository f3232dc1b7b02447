package io.kairo.sandbox.support.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens tunnels through an upstream proxy. For use by one thread.
 *
 * @param proxy the proxy
 * @param channels waits for them
 * @param timeout timeout for the answer of the proxy
 */
record UpstreamTunnel(UpstreamProxy proxy, ChannelWait channels, Duration timeout) {

	private static final int MOST_HEAD_BYTES = 16384;

	private static final Pattern STATUS = Pattern.compile("(?s)HTTP/1\\.[01] (\\d{3})\\D.*");

	private static final int AUTHENTICATION_REQUIRED = 407;

	/**
	 * Opens a tunnel. Afterwards the channel is one to the target: no byte behind the
	 * answer of the proxy has been read.
	 * @param channel a channel to the proxy
	 * @throws ProxyRefusedException if the proxy refuses, or does not answer
	 */
	void open(SocketChannel channel, Target target) throws ProxyRefusedException {
		int status;
		try {
			send(channel, ("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n" + this.proxy.authorization()
					+ "\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			Matcher head = STATUS.matcher(receiveHead(channel));
			status = head.matches() ? Integer.parseInt(head.group(1)) : 0;
		}
		catch (IOException ex) {
			throw new ProxyRefusedException(Refusal.UPSTREAM_UNAVAILABLE, target,
					this.proxy + " does not answer: " + ex.getMessage());
		}
		if (status == 0) {
			throw new ProxyRefusedException(Refusal.UPSTREAM_UNAVAILABLE, target, this.proxy + " is no HTTP proxy");
		}
		if (status < 200 || status > 299) {
			throw refused(target, status);
		}
	}

	/**
	 * Returns the refusal for a status of the proxy.
	 */
	private ProxyRefusedException refused(Target target, int status) {
		return (status == AUTHENTICATION_REQUIRED) ? unauthorized(this.proxy, target) : new ProxyRefusedException(
				Refusal.UPSTREAM_REFUSED, target, this.proxy + " answers with the status " + status);
	}

	/**
	 * Returns the refusal for a proxy that does not accept the credentials.
	 */
	static ProxyRefusedException unauthorized(UpstreamProxy proxy, Target target) {
		return new ProxyRefusedException(Refusal.UPSTREAM_REFUSED, target,
				proxy + " does not accept the credentials of the configuration: correct them");
	}

	private void send(SocketChannel channel, byte[] bytes) throws IOException {
		for (ByteBuffer request = ByteBuffer.wrap(bytes); request.hasRemaining();) {
			if (channel.write(request) == 0) {
				await(channel, SelectionKey.OP_WRITE, this.timeout);
			}
		}
	}

	/**
	 * Reads the head of the answer, byte by byte: the following bytes come from the
	 * target.
	 */
	private String receiveHead(SocketChannel channel) throws IOException {
		long deadline = System.nanoTime() + this.timeout.toNanos();
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		ByteBuffer next = ByteBuffer.allocate(1);
		int lineLength = 0;
		while (head.size() < MOST_HEAD_BYTES) {
			int count = channel.read(next.clear());
			if (count < 0) {
				throw new IOException("it closes the connection");
			}
			if (count == 0) {
				await(channel, SelectionKey.OP_READ, Duration.ofNanos(deadline - System.nanoTime()));
				continue;
			}
			head.write(next.get(0));
			if (next.get(0) != '\n') {
				lineLength += (next.get(0) == '\r') ? 0 : 1;
			}
			else if (lineLength == 0) {
				return head.toString(StandardCharsets.ISO_8859_1);
			}
			else {
				lineLength = 0;
			}
		}
		throw new IOException("the head of its answer is too long");
	}

	private void await(SocketChannel channel, int operation, Duration timeout) throws IOException {
		if (!this.channels.await(channel, operation, timeout)) {
			throw new IOException("timeout");
		}
	}

}

package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * The client side of a TLS connection over a channel that does not block. The certificate
 * has to be valid for the host (RFC 9110, section 4.3.4). For use by one thread.
 */
final class TlsChannel implements ByteChannel {

	private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

	private final SocketChannel channel;

	private final SSLEngine engine;

	/** Encrypted bytes from the host, ready to be added to. */
	private ByteBuffer received;

	/** Encrypted bytes for the host, ready to be added to. */
	private ByteBuffer sending;

	/** Decrypted bytes, ready to be taken. */
	private ByteBuffer plain;

	private boolean ended;

	TlsChannel(SocketChannel channel, SSLContext context, Target target) {
		this.channel = channel;
		this.engine = context.createSSLEngine(target.host().text(), target.port());
		this.engine.setUseClientMode(true);
		SSLParameters parameters = this.engine.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		if (!target.host().isAddress()) {
			parameters.setServerNames(List.of(new SNIHostName(target.host().text())));
		}
		this.engine.setSSLParameters(parameters);
		this.received = ByteBuffer.allocate(this.engine.getSession().getPacketBufferSize());
		this.sending = ByteBuffer.allocate(this.engine.getSession().getPacketBufferSize());
		this.plain = ByteBuffer.allocate(this.engine.getSession().getApplicationBufferSize()).limit(0);
	}

	/**
	 * Establishes the connection.
	 * @param timeout the timeout
	 * @return false after the timeout
	 * @throws SSLException if the host does not speak TLS, or its certificate is invalid
	 */
	boolean handshake(ChannelWait channels, Duration timeout) throws IOException {
		long deadline = System.nanoTime() + timeout.toNanos();
		this.engine.beginHandshake();
		while (isHandshaking()) {
			boolean moved = switch (this.engine.getHandshakeStatus()) {
				case NEED_TASK -> runTasks();
				case NEED_WRAP -> wrap(NOTHING) || flush();
				case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> flushAndUnwrap();
				// all that is left is to send the end of the handshake
				default -> flush();
			};
			if (this.ended) {
				throw new SSLException("The host closed the connection during the handshake");
			}
			Duration left = Duration.ofNanos(deadline - System.nanoTime());
			if (left.isNegative()
					|| (!moved && !channels.await(this.channel, SelectionKey.OP_READ | interest(), left))) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the operations of the channel to wait for, in addition to the operations of
	 * a caller that reads or writes.
	 */
	int interest() {
		return (this.sending.position() > 0) ? SelectionKey.OP_WRITE : 0;
	}

	@Override
	public int read(ByteBuffer target) throws IOException {
		int before = target.position();
		flush();
		while (target.hasRemaining()) {
			if (this.plain.hasRemaining()) {
				int count = Math.min(this.plain.remaining(), target.remaining());
				target.put(this.plain.slice(this.plain.position(), count));
				this.plain.position(this.plain.position() + count);
			}
			else if (this.ended || !unwrap()) {
				break;
			}
		}
		int count = target.position() - before;
		return (count == 0 && this.ended) ? -1 : count;
	}

	@Override
	public int write(ByteBuffer source) throws IOException {
		flush();
		int before = source.position();
		if (this.engine.isOutboundDone()) {
			// the host has answered and does not read the rest of the request
			source.position(source.limit());
		}
		else if (this.sending.position() == 0 && source.hasRemaining()) {
			wrap(source);
			flush();
		}
		return source.position() - before;
	}

	@Override
	public boolean isOpen() {
		return this.channel.isOpen();
	}

	@Override
	public void close() throws IOException {
		this.channel.close();
	}

	private boolean isHandshaking() {
		HandshakeStatus status = this.engine.getHandshakeStatus();
		return (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED)
				|| this.sending.position() > 0;
	}

	private boolean runTasks() {
		for (Runnable task = this.engine.getDelegatedTask(); task != null; task = this.engine.getDelegatedTask()) {
			task.run();
		}
		return true;
	}

	/**
	 * Encrypts bytes.
	 * @return whether any were produced
	 */
	private boolean wrap(ByteBuffer source) throws IOException {
		SSLEngineResult result = this.engine.wrap(source, this.sending);
		if (result.getStatus() == Status.BUFFER_OVERFLOW && this.sending.position() == 0) {
			this.sending = ByteBuffer.allocate(this.engine.getSession().getPacketBufferSize());
			result = this.engine.wrap(source, this.sending);
		}
		return result.bytesProduced() > 0;
	}

	/**
	 * Decrypts one record, reading from the channel if necessary.
	 * @return whether anything has changed
	 */
	private boolean unwrap() throws IOException {
		if (this.engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
			return runTasks();
		}
		if (this.engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
			// the answer to a message of the host after the handshake
			boolean wrapped = wrap(NOTHING);
			return flush() || wrapped;
		}
		this.plain.clear();
		SSLEngineResult result;
		try {
			result = this.engine.unwrap(this.received.flip(), this.plain);
		}
		finally {
			this.received.compact();
			this.plain.flip();
		}
		return switch (result.getStatus()) {
			case OK -> true;
			case CLOSED -> end();
			case BUFFER_OVERFLOW -> {
				this.plain = ByteBuffer.allocate(this.engine.getSession().getApplicationBufferSize()).limit(0);
				yield true;
			}
			case BUFFER_UNDERFLOW -> receive();
		};
	}

	private boolean flushAndUnwrap() throws IOException {
		boolean sent = flush();
		return unwrap() || sent;
	}

	private boolean receive() throws IOException {
		if (!this.received.hasRemaining()) {
			int size = Math.max(this.engine.getSession().getPacketBufferSize(), 2 * this.received.capacity());
			this.received = ByteBuffer.allocate(size).put(this.received.flip());
		}
		int count = this.channel.read(this.received);
		return (count < 0) ? end() : count > 0;
	}

	private boolean end() {
		this.ended = true;
		return true;
	}

	/**
	 * Sends encrypted bytes as far as the channel accepts them.
	 * @return whether any were sent
	 */
	private boolean flush() throws IOException {
		if (this.sending.position() == 0) {
			return false;
		}
		int count = this.channel.write(this.sending.flip());
		this.sending.compact();
		return count > 0;
	}

}

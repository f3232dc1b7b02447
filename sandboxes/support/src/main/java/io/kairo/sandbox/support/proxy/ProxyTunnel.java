package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * One connection of a command to the proxy: carries data between the other side and a
 * socket of the proxy. For use by one thread.
 */
final class ProxyTunnel {

	private static final int MOST_BYTES = 32768;

	private final int number;

	private final ProxyTunnels.Carrier carrier;

	private final SocketChannel channel;

	private final SelectionKey key;

	private final ByteBuffer received = ByteBuffer.allocate(MOST_BYTES);

	/** Data for the proxy. */
	private ByteBuffer pending = ByteBuffer.allocate(0);

	/** Whether the other side still has to accept data of the proxy. */
	private boolean waiting;

	private boolean proxyEnded;

	private boolean commandEnded;

	/**
	 * Connects to the proxy.
	 * @param number the number that the other side gave the connection
	 * @param socket the socket of the proxy
	 */
	ProxyTunnel(int number, Path socket, Selector selector, ProxyTunnels.Carrier carrier) throws IOException {
		this.number = number;
		this.carrier = carrier;
		this.channel = SocketChannel.open(StandardProtocolFamily.UNIX);
		boolean connected = false;
		try {
			this.channel.configureBlocking(false);
			if (!this.channel.connect(UnixDomainSocketAddress.of(socket))) {
				throw new IOException("The proxy accepts no more connections");
			}
			this.key = this.channel.register(selector, SelectionKey.OP_READ, this);
			connected = true;
		}
		finally {
			if (!connected) {
				close();
			}
		}
	}

	boolean isOpen() {
		return this.channel.isOpen();
	}

	/**
	 * Takes a frame of the other side for this connection.
	 */
	void take(char letter, byte[] data) {
		switch (letter) {
			case 'D' -> this.pending = ByteBuffer.wrap(data);
			case 'G' -> this.waiting = false;
			case 'F' -> this.commandEnded = true;
			case 'Q' -> close();
			default -> throw new IllegalArgumentException("The other side sent '" + letter + "'");
		}
		if (isOpen()) {
			move();
		}
	}

	/**
	 * Moves data as far as that is possible without waiting.
	 */
	void move() {
		try {
			if (this.pending.hasRemaining() && this.channel.write(this.pending) > 0 && !this.pending.hasRemaining()) {
				send('G', 0);
			}
			if (this.commandEnded && !this.pending.hasRemaining()) {
				this.channel.shutdownOutput();
			}
			if (!this.waiting && !this.proxyEnded) {
				receive();
			}
			if (this.commandEnded && this.proxyEnded) {
				hangUp();
				return;
			}
			this.key.interestOps((this.pending.hasRemaining() ? SelectionKey.OP_WRITE : 0)
					| ((this.waiting || this.proxyEnded) ? 0 : SelectionKey.OP_READ));
		}
		catch (IOException | CancelledKeyException ex) {
			hangUp();
		}
	}

	private void receive() throws IOException {
		int count = this.channel.read(this.received.clear());
		if (count < 0) {
			this.proxyEnded = true;
			send('F', 0);
		}
		else if (count > 0) {
			this.waiting = true;
			send('D', count);
		}
	}

	private void hangUp() {
		send('Q', 0);
		close();
	}

	private void send(char letter, int count) {
		this.carrier.send(letter,
				ByteBuffer.allocate(Integer.BYTES + count)
					.putInt(this.number)
					.put(this.received.array(), 0, count)
					.array());
	}

	/**
	 * Closes the connection without a word to the other side.
	 */
	void close() {
		try {
			this.channel.close();
		}
		catch (IOException ex) {
			// nothing can be done about it
		}
	}

}

package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;

/**
 * One connection of a command through the proxy to a host. Blocks its thread. Ends at
 * once when another thread closes it, unless a name is being resolved.
 */
final class ProxyConnection implements AutoCloseable {

	private static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

	private final SocketChannel channel;

	private final Selector selector;

	private final Destinations destinations;

	private final ProxyLimits limits;

	private final Traffic traffic;

	/**
	 * Creates a connection.
	 * @param channel the channel to the client; closed with the connection
	 * @throws IOException if its resources cannot be allocated; the channel is closed
	 * then
	 */
	ProxyConnection(SocketChannel channel, Destinations destinations, ProxyLimits limits, Traffic traffic)
			throws IOException {
		this.channel = channel;
		this.destinations = destinations;
		this.limits = limits;
		this.traffic = traffic;
		try {
			this.selector = Selector.open();
		}
		catch (IOException ex) {
			channel.close();
			throw ex;
		}
	}

	/**
	 * Serves the client until the connection ends.
	 */
	void serve() {
		try (this) {
			this.channel.configureBlocking(false);
			Client client = new Client(this.channel, this.selector, this.limits.headBytes());
			try {
				String head = client.readHead(this.limits.headTimeout());
				if (!head.isEmpty()) {
					serve(client, ProxyRequest.of(RequestHead.parse(head)));
				}
			}
			catch (RefusedException ex) {
				this.traffic.refused(ex.describe());
				client.refuse(ex.refusal());
			}
		}
		catch (IOException | ClosedSelectorException | CancelledKeyException ex) {
			// one side has closed its channel; the other is closed below
		}
	}

	/**
	 * Ends the connection. For use by any thread.
	 */
	@Override
	public void close() {
		// the selector first, which wakes the waiting thread
		for (AutoCloseable resource : List.of(this.selector, this.channel)) {
			try {
				resource.close();
			}
			catch (Exception ex) {
				// nothing can be done about it
			}
		}
	}

	private void serve(Client client, ProxyRequest request) throws IOException, RefusedException {
		try (SocketChannel host = connect(request.target())) {
			this.traffic.allowed();
			ByteBuffer first = ByteBuffer.wrap(request.headBytes());
			if (request.isTunnel()) {
				client.answer(ESTABLISHED);
			}
			Flow up = new Flow(this.channel, host, request.bodyBytes(), request.isTunnel());
			up.begin(client.rest());
			Flow down = new Flow(host, this.channel, Long.MAX_VALUE, true);
			try {
				if (send(host, first)) {
					exchange(host, up, down, request.isTunnel());
				}
			}
			finally {
				this.traffic.moved(up.count() + first.position(), down.count());
			}
		}
	}

	/**
	 * Connects to the first address that accepts a connection. Only checked addresses are
	 * used.
	 */
	private SocketChannel connect(Target target) throws IOException, RefusedException {
		Refusal reason = Refusal.UNREACHABLE;
		for (InetSocketAddress address : this.destinations.of(target)) {
			SocketChannel host = SocketChannel.open();
			boolean connected = false;
			try {
				host.configureBlocking(false);
				connected = host.connect(address)
						|| (await(host, SelectionKey.OP_CONNECT, this.limits.connectTimeout()) && host.finishConnect());
				if (connected) {
					return host;
				}
				reason = Refusal.CONNECT_TIMEOUT;
			}
			catch (IOException ex) {
				reason = Refusal.UNREACHABLE;
			}
			finally {
				if (!connected) {
					host.close();
				}
			}
		}
		throw new RefusedException(reason, target);
	}

	private boolean send(SocketChannel host, ByteBuffer bytes) throws IOException {
		while (bytes.hasRemaining()) {
			if (host.write(bytes) == 0 && !await(host, SelectionKey.OP_WRITE, this.limits.idleTimeout())) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Waits until a channel is ready.
	 * @return false after the timeout
	 */
	private boolean await(SocketChannel host, int operation, Duration timeout) throws IOException {
		SelectionKey key = host.register(this.selector, operation);
		long deadline = System.nanoTime() + timeout.toNanos();
		while (true) {
			long left = (deadline - System.nanoTime()) / 1_000_000;
			if (left <= 0) {
				return false;
			}
			this.selector.select(left);
			boolean ready = this.selector.selectedKeys().remove(key);
			this.selector.selectedKeys().clear();
			if (ready) {
				key.interestOps(0);
				return true;
			}
		}
	}

	/**
	 * Moves bytes in both directions until both sides have ended, or the connection was
	 * idle for too long. A plain request ends with its response.
	 */
	private void exchange(SocketChannel host, Flow up, Flow down, boolean tunnel) throws IOException {
		SelectionKey hostKey = host.register(this.selector, 0);
		SelectionKey clientKey = this.channel.register(this.selector, 0);
		long moved = System.nanoTime();
		while (!down.isDone() || (tunnel && !up.isDone())) {
			clientKey.interestOps(up.interestInSource() | down.interestInSink());
			hostKey.interestOps(down.interestInSource() | up.interestInSink());
			long left = this.limits.idleTimeout().toMillis() - (System.nanoTime() - moved) / 1_000_000;
			if (left <= 0) {
				return;
			}
			this.selector.select(left);
			this.selector.selectedKeys().clear();
			boolean sent = up.move();
			boolean received = down.move();
			if (sent || received) {
				moved = System.nanoTime();
			}
		}
	}

}

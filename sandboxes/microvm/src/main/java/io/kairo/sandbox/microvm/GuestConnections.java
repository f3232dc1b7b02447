package io.kairo.sandbox.microvm;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.kairo.sandbox.support.proxy.ProxyTunnels;

/**
 * The connections of the commands of a machine to the proxy. Sees to it that the machine
 * sends no more than one piece of data before it is accepted, as it is kept until then.
 * Safe for use by several threads.
 */
final class GuestConnections implements ProxyTunnels.Carrier {

	/** The agent opens no more than that. */
	private static final int MOST = 256;

	private final Map<Integer, Connection> connections = new HashMap<>();

	private final Consumer<Frame> link;

	/**
	 * Creates the value.
	 * @param link sends a frame to the agent
	 */
	GuestConnections(Consumer<Frame> link) {
		this.link = link;
	}

	/**
	 * Opens a connection.
	 * @param frame the message of the machine
	 * @param tunnels the connections of the command
	 * @throws GuestProtocolException if the connection exists, or there are too many
	 */
	void open(Frame frame, ProxyTunnels tunnels) throws GuestProtocolException {
		synchronized (this) {
			if (this.connections.size() == MOST || this.connections.containsKey(frame.id())) {
				throw new GuestProtocolException("a connection too many");
			}
			this.connections.put(frame.id(), new Connection(tunnels));
		}
		pass('C', frame, tunnels);
	}

	/**
	 * Takes a message of the machine about a connection; ignored if that was closed
	 * meanwhile.
	 * @throws GuestProtocolException if it may not be sent now
	 */
	void receive(Frame frame) throws GuestProtocolException {
		ProxyTunnels tunnels;
		synchronized (this) {
			Connection connection = this.connections.get(frame.id());
			if (connection == null) {
				return;
			}
			boolean allowed = switch (frame.kind()) {
				case 'd' -> !connection.unacceptedHere && !connection.ended;
				case 'g' -> connection.unacceptedThere;
				case 'f' -> !connection.ended;
				default -> true;
			};
			if (!allowed) {
				throw new GuestProtocolException("'" + frame.kind() + "' for a connection before it may");
			}
			switch (frame.kind()) {
				case 'd' -> connection.unacceptedHere = true;
				case 'g' -> connection.unacceptedThere = false;
				case 'f' -> connection.ended = true;
				default -> this.connections.remove(frame.id());
			}
			tunnels = connection.tunnels;
		}
		pass(Character.toUpperCase(frame.kind()), frame, tunnels);
	}

	/**
	 * Forgets the connections of a command that has ended.
	 */
	synchronized void forget(ProxyTunnels tunnels) {
		this.connections.values().removeIf((connection) -> connection.tunnels == tunnels);
	}

	@Override
	public void send(char letter, byte[] data) {
		ByteBuffer all = ByteBuffer.wrap(data);
		int number = all.getInt();
		byte[] rest = new byte[all.remaining()];
		all.get(rest);
		synchronized (this) {
			Connection connection = this.connections.get(number);
			if (connection == null) {
				return;
			}
			switch (letter) {
				case 'D' -> connection.unacceptedThere = true;
				case 'G' -> connection.unacceptedHere = false;
				case 'Q' -> this.connections.remove(number);
				default -> {
					// the end of the data in one direction changes nothing here
				}
			}
		}
		this.link.accept(new Frame(Character.toLowerCase(letter), number, rest));
	}

	private static void pass(char letter, Frame frame, ProxyTunnels tunnels) {
		byte[] payload = (letter == 'C') ? new byte[0] : frame.payload();
		byte[] data = ByteBuffer.allocate(Integer.BYTES + payload.length).putInt(frame.id()).put(payload).array();
		tunnels.receive(letter, data, 0, data.length);
	}

	/**
	 * A connection.
	 */
	private static final class Connection {

		private final ProxyTunnels tunnels;

		/** Whether data of the machine was not accepted yet. */
		private boolean unacceptedHere;

		/** Whether data of the proxy was not accepted yet. */
		private boolean unacceptedThere;

		private boolean ended;

		Connection(ProxyTunnels tunnels) {
			this.tunnels = tunnels;
		}

	}

}

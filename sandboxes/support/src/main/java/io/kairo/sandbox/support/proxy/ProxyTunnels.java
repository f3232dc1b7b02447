package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a command to the proxy from where there is no network, such as a
 * container. A program on the other side accepts them on the loopback interface there,
 * and their data is carried in frames: C opens a connection, D is data, G says that the
 * last data was accepted, F is the end of the data in one direction, and Q the end of the
 * connection. In each direction one piece of data is under way until it is accepted, so
 * that no connection holds up the others, and none takes more memory than that. Uses a
 * thread while there are connections. Safe for use by several threads.
 */
public final class ProxyTunnels implements AutoCloseable {

	/**
	 * The port on the loopback interface of the other side, known from the environment of
	 * the command.
	 */
	public static final int PORT = 3128;

	private static final Logger logger = System.getLogger(ProxyTunnels.class.getName());

	private static final int MOST_TUNNELS = 64;

	private final ProxyListener listener;

	private final Path socket;

	private final Carrier carrier;

	private final Queue<Frame> frames = new ConcurrentLinkedQueue<>();

	/** For use by the thread only. */
	private final Map<Integer, ProxyTunnel> tunnels = new HashMap<>();

	private @Nullable Selector selector;

	private boolean closed;

	private ProxyTunnels(ProxyListener listener, Path socket, Carrier carrier) {
		this.listener = listener;
		this.socket = socket;
		this.carrier = carrier;
	}

	/**
	 * Starts to listen.
	 * @param proxy the proxy
	 * @param directory the directory for the socket of the proxy
	 * @param tenant the tenant of the command
	 * @param carrier carries frames to the other side
	 * @return the connections
	 * @throws SandboxException with {@link SandboxErrorCode#START_FAILED} if the socket
	 * or a thread cannot be created
	 */
	public static ProxyTunnels open(AllowListProxy proxy, PrivateDirectory directory, TenantContext tenant,
			Carrier carrier) {
		try {
			Path socket = directory.newPath("proxy");
			return new ProxyTunnels(proxy.listen(socket, tenant), socket, carrier);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "The network of a command could not be set up",
					"see the cause", ex);
		}
	}

	/**
	 * Returns a command that appends refusals of the proxy to its error output.
	 * @param command the command
	 * @param log the log for the output of the command
	 * @return the command
	 */
	public RunningCommand reportingRefusals(RunningCommand command, OutputLog log) {
		return this.listener.reportingRefusals(command, log, false);
	}

	/**
	 * Takes a frame of the other side. Frames are kept until they are handled: a side
	 * that is not trusted has to be kept from sending more than one D before the G.
	 * @param letter its kind
	 * @param data an array that contains the number of the connection, four bytes, and
	 * the data
	 * @param offset the offset of the number
	 * @param length the number of bytes, at least 4
	 */
	public void receive(char letter, byte[] data, int offset, int length) {
		ByteBuffer payload = ByteBuffer.wrap(data, offset, length);
		int number = payload.getInt();
		Frame frame = new Frame(letter, number, Arrays.copyOfRange(data, offset + Integer.BYTES, offset + length));
		try {
			synchronized (this) {
				if (this.closed) {
					return;
				}
				if (this.selector == null) {
					Selector opened = Selector.open();
					this.selector = opened;
					DaemonThreads.start("kairo-proxy-tunnels", () -> run(opened));
				}
				this.frames.add(frame);
				this.selector.wakeup();
			}
		}
		catch (IOException ex) {
			refuse(number, ex);
		}
	}

	/**
	 * Closes all connections, and stops listening.
	 */
	@Override
	public void close() {
		Selector opened;
		synchronized (this) {
			this.closed = true;
			opened = this.selector;
		}
		this.listener.close();
		try {
			if (opened != null) {
				opened.close();
			}
			Files.deleteIfExists(this.socket);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The connections to the proxy could not be closed", ex);
		}
	}

	private void run(Selector opened) {
		try {
			while (opened.isOpen()) {
				for (Frame frame = this.frames.poll(); frame != null; frame = this.frames.poll()) {
					take(frame, opened);
				}
				this.tunnels.values().removeIf((tunnel) -> !tunnel.isOpen());
				opened.select((key) -> ((ProxyTunnel) key.attachment()).move());
			}
		}
		catch (IOException | ClosedSelectorException ex) {
			logger.log(Level.TRACE, "The command has ended", ex);
		}
		finally {
			this.tunnels.values().forEach(ProxyTunnel::close);
		}
	}

	private void take(Frame frame, Selector opened) {
		ProxyTunnel tunnel = this.tunnels.get(frame.number());
		if (tunnel != null) {
			tunnel.take(frame.letter(), frame.data());
		}
		else if (frame.letter() == 'C') {
			try {
				if (this.tunnels.size() == MOST_TUNNELS) {
					throw new IOException("There are " + MOST_TUNNELS + " connections");
				}
				this.tunnels.put(frame.number(), new ProxyTunnel(frame.number(), this.socket, opened, this.carrier));
			}
			catch (IOException ex) {
				refuse(frame.number(), ex);
			}
		}
	}

	private void refuse(int number, IOException reason) {
		logger.log(Level.DEBUG, "A connection to the proxy could not be opened", reason);
		this.carrier.send('Q', ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
	}

	/**
	 * A frame of the other side.
	 *
	 * @param letter its kind
	 * @param number the number of the connection
	 * @param data the data
	 */
	private record Frame(char letter, int number, byte[] data) {

	}

	/**
	 * Carries frames to the other side.
	 */
	@FunctionalInterface
	public interface Carrier {

		/**
		 * Sends a frame. Must not block.
		 * @param letter its kind: D, G, F or Q
		 * @param data the number of the connection, four bytes, and the data
		 */
		void send(char letter, byte[] data);

	}

}

package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.WatchedCommand;

/**
 * Listens for the connections of one command, or of the commands of one session, to the
 * {@link AllowListProxy}, on a separate Unix domain socket, so that every connection
 * belongs to them. Uses one thread, and one for each connection. Safe for use by several
 * threads.
 */
public final class ProxyListener implements AutoCloseable {

	private static final Logger logger = System.getLogger(ProxyListener.class.getName());

	private static final int BACKLOG = 128;

	private static final long PAUSE_NANOS = 50_000_000;

	private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();

	private final ServerSocketChannel server;

	private final ProxySettings settings;

	private final TenantContext tenant;

	private final Traffic traffic;

	private final Semaphore free;

	private final Thread acceptor;

	ProxyListener(Path socket, ProxySettings settings, TenantContext tenant) throws IOException {
		this.settings = settings;
		this.tenant = tenant;
		this.traffic = new Traffic(tenant.tenantId());
		this.free = new Semaphore(settings.limits().connections());
		this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
		this.acceptor = DaemonThreads.create("kairo-proxy", this::accept);
		try {
			this.server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
			this.acceptor.start();
		}
		catch (IOException | RuntimeException ex) {
			this.server.close();
			throw ex;
		}
		catch (OutOfMemoryError ex) {
			this.server.close();
			throw new IOException("No more threads can be created for the proxy", ex);
		}
	}

	/**
	 * Returns the network activity of the command so far.
	 * @return a snapshot
	 */
	public ProxyReport report() {
		return this.traffic.report();
	}

	/**
	 * Returns a command that appends refusals to its error output.
	 * @param command the command that uses this listener
	 * @param log the log for its output
	 * @param shared whether other commands use this listener as well; otherwise it is
	 * closed at the end of the command
	 * @return the reporting command
	 */
	public RunningCommand reportingRefusals(RunningCommand command, OutputLog log, boolean shared) {
		Traffic own = shared ? this.traffic.share() : this.traffic;
		return new WatchedCommand(command, log, () -> remarks(own), shared ? () -> this.traffic.end(own) : this::close);
	}

	private static List<String> remarks(Traffic traffic) {
		return traffic.report().refusals().stream().map((refusal) -> "the network refused " + refusal).toList();
	}

	/**
	 * Closes all connections and stops listening. The file of the socket is not deleted.
	 */
	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A socket could not be closed", ex);
		}
		this.acceptor.interrupt();
		this.connections.forEach(ProxyConnection::close);
	}

	private void accept() {
		while (this.server.isOpen()) {
			try {
				this.free.acquire();
				begin(this.server.accept());
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (IOException ex) {
				this.free.release();
				// too many open files, if the server is still open
				LockSupport.parkNanos(this.server.isOpen() ? PAUSE_NANOS : 0);
			}
		}
	}

	/**
	 * Starts to serve a client.
	 * @throws IOException if the resources cannot be allocated; the channel is closed
	 * then
	 */
	private void begin(SocketChannel channel) throws IOException {
		ProxyConnection connection = new ProxyConnection(channel, this.settings, this.tenant, this.traffic);
		this.connections.add(connection);
		try {
			DaemonThreads.start("kairo-proxy-connection", () -> serve(connection));
		}
		catch (OutOfMemoryError ex) {
			this.connections.remove(connection);
			connection.close();
			throw new IOException("No more threads can be created for a connection", ex);
		}
		if (!this.server.isOpen()) {
			connection.close();
		}
	}

	private void serve(ProxyConnection connection) {
		try {
			connection.serve();
		}
		finally {
			connection.close();
			this.connections.remove(connection);
			this.free.release();
		}
	}

}

package io.kairo.governance.audit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * A relay before a PostgreSQL server that stops to pass anything on, and closes nothing,
 * as a network does that drops all packets.
 */
public final class SilentRelay implements AutoCloseable {

	private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

	private final PGSimpleDataSource database;

	private volatile String last = "\0";

	private volatile boolean silent;

	public SilentRelay(DataSource database) throws IOException {
		this.database = (PGSimpleDataSource) database;
		this.open.add(this.socket);
		start(this::accept);
	}

	/**
	 * Returns the database behind the relay.
	 */
	public DataSource dataSource() throws SQLException {
		PGSimpleDataSource source = new PGSimpleDataSource();
		source.setServerNames(new String[] { "127.0.0.1" });
		source.setPortNumbers(new int[] { this.socket.getLocalPort() });
		source.setDatabaseName(this.database.getDatabaseName());
		source.setUser(this.database.getUser());
		source.setCancelSignalTimeout(1);
		source.setLoginTimeout(1);
		return source;
	}

	/**
	 * Is silent from the next text of a client on that contains another one, which the
	 * server does not get.
	 */
	public void silentAt(String text) {
		this.last = text;
	}

	/**
	 * Passes new connections on. Those from before stay silent.
	 */
	public void restore() {
		this.last = "\0";
		this.silent = false;
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.socket.accept();
			this.open.add(client);
			if (!this.silent) {
				Socket server = new Socket("127.0.0.1", this.database.getPortNumbers()[0]);
				this.open.add(server);
				start(() -> pass(client, server));
				start(() -> pass(server, client));
			}
		}
	}

	private void pass(Socket from, Socket to) throws IOException {
		byte[] buffer = new byte[1 << 16];
		InputStream in = from.getInputStream();
		for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
			String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
			this.silent |= !this.last.equals("\0") && text.contains(this.last);
			if (this.silent) {
				return;
			}
			to.getOutputStream().write(buffer, 0, length);
		}
		to.close();
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// closed
			}
		}, "silent-relay");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		for (Closeable each : this.open) {
			each.close();
		}
	}

	/** The work of a thread until a connection is closed. */
	private interface Task {

		void run() throws IOException;

	}

}

package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Services of the host on its loopback interfaces and on sockets in files. They send the
 * secret to every client.
 */
final class Listeners implements AutoCloseable {

	private final List<AutoCloseable> open = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	private final byte[] secret;

	Listeners(String secret) {
		this.secret = (secret + "\n").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Listens for TCP connections.
	 * @return the port
	 */
	int tcp(InetAddress address) throws IOException {
		ServerSocket server = keep(new ServerSocket(0, 50, address));
		serve(() -> {
			try (Socket socket = server.accept()) {
				socket.getOutputStream().write(this.secret);
			}
		});
		return server.getLocalPort();
	}

	/**
	 * Answers datagrams.
	 * @return the port
	 */
	int udp() throws IOException {
		DatagramSocket socket = keep(new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
		serve(() -> {
			DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
			socket.receive(packet);
			socket.send(new DatagramPacket(this.secret, this.secret.length, packet.getSocketAddress()));
		});
		return socket.getLocalPort();
	}

	/**
	 * Listens on a Unix domain socket.
	 */
	void unix(Path file) throws IOException {
		ServerSocketChannel server = keep(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
		server.bind(UnixDomainSocketAddress.of(file));
		file.toFile().setWritable(true, false);
		serve(() -> {
			try (SocketChannel channel = server.accept()) {
				channel.write(ByteBuffer.wrap(this.secret));
			}
		});
	}

	private <T extends AutoCloseable> T keep(T closeable) {
		this.open.add(closeable);
		return closeable;
	}

	private void serve(Service service) {
		Thread thread = new Thread(() -> {
			while (true) {
				try {
					service.serveOne();
				}
				catch (IOException ex) {
					return;
				}
			}
		}, "listener");
		thread.setDaemon(true);
		thread.start();
		this.threads.add(thread);
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable closeable : this.open) {
			closeable.close();
		}
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	/**
	 * Serves one client.
	 */
	@FunctionalInterface
	private interface Service {

		void serveOne() throws IOException;

	}

}

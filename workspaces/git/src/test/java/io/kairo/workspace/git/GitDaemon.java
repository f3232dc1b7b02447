package io.kairo.workspace.git;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;

import org.awaitility.Awaitility;

/**
 * A {@code git daemon} on a free port.
 */
final class GitDaemon implements AutoCloseable {

	private final Process process;

	private final int port;

	GitDaemon(Path base) throws IOException {
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.port = free.getLocalPort();
		}
		ProcessBuilder builder = new ProcessBuilder("git", "daemon", "--reuseaddr", "--export-all",
				"--enable=receive-pack", "--listen=127.0.0.1", "--port=" + this.port, "--base-path=" + base,
				base.toString());
		builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
		this.process = builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
		Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
				return socket.isConnected();
			}
		});
	}

	String url() {
		return "git://127.0.0.1:" + this.port;
	}

	@Override
	public void close() {
		this.process.descendants().forEach(ProcessHandle::destroyForcibly);
		this.process.destroyForcibly();
	}

}

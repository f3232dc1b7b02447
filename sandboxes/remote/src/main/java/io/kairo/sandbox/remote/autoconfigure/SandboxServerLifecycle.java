package io.kairo.sandbox.remote.autoconfigure;

import java.net.InetSocketAddress;
import java.time.Duration;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The sandbox server while the application runs. When it stops, no more commands are
 * accepted, and running ones have the time of a shutdown phase to complete. Safe for use
 * by several threads.
 */
public final class SandboxServerLifecycle implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(SandboxServerLifecycle.class);

	private final ExecutionSandbox sandbox;

	private final SandboxServerOptions options;

	private final Duration drain;

	private volatile @Nullable SandboxServer server;

	SandboxServerLifecycle(ExecutionSandbox sandbox, SandboxServerOptions options, Duration drain) {
		this.sandbox = sandbox;
		this.options = options;
		this.drain = drain;
	}

	/**
	 * Returns the address that the server listens on.
	 * @return the address, null if it does not run
	 */
	public @Nullable InetSocketAddress address() {
		SandboxServer running = this.server;
		return (running != null) ? running.address() : null;
	}

	@Override
	public void start() {
		SandboxServer started = new SandboxServer(this.sandbox, this.options);
		this.server = started;
		logger.info("Sandbox server listens on " + started.address() + " for the clients "
				+ this.options.clients().stream().map(RemoteClient::name).sorted().toList());
	}

	@Override
	public void stop() {
		SandboxServer running = this.server;
		this.server = null;
		if (running != null) {
			if (!running.drain(this.drain)) {
				logger.warn("Commands of other applications did not end within " + this.drain + " and are ended");
			}
			running.close();
		}
	}

	@Override
	public void stop(Runnable callback) {
		// beside the others of its phase
		DaemonThreads.startOrRun("kairo-sandbox-server-stop", () -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		});
	}

	@Override
	public boolean isRunning() {
		return this.server != null;
	}

	/**
	 * Returns the phase of web servers. The pools that commands may need are stopped
	 * after it.
	 */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 1024;
	}

}

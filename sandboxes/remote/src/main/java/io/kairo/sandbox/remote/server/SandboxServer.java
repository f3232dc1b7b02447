package io.kairo.sandbox.remote.server;

import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/**
 * A server that lets authorized clients run commands in a sandbox of this machine, over
 * HTTP. A client that is silent for the time of its lease loses its commands. Safe for
 * use by several threads.
 */
public final class SandboxServer implements AutoCloseable {

	private static final Duration SWEEP = Duration.ofMillis(500);

	/** Clients keep connections for up to 20 minutes. Also for threads. */
	private static final Duration IDLE = Duration.ofSeconds(10);

	private static final Duration LAST_ANSWERS = Duration.ofSeconds(3);

	private static final long POLL_NANOS = 10_000_000L;

	private static final int LONGEST_LINE = 8 * 1024;

	private final @Nullable ServedCopies copies;

	private final ServedSandbox served;

	private final ExecutorService workers;

	private final Scheduler scheduler;

	private final Deadlines sweeps = new Deadlines();

	private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

	private final DisposableServer server;

	private volatile @Nullable Future<?> nextSweep;

	/**
	 * Creates and starts a server.
	 * @param sandbox the sandbox, not closed with the server
	 * @param options the options
	 * @throws IllegalStateException if the address, or the directory for copies, cannot
	 * be used
	 */
	public SandboxServer(ExecutionSandbox sandbox, SandboxServerOptions options) {
		// a call may wait: for the start of a command, for its end, or for it to read
		this.workers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE.toSeconds(), TimeUnit.SECONDS,
				new SynchronousQueue<>(), (task) -> DaemonThreads.create("kairo-sandbox-server", task));
		this.scheduler = Schedulers.fromExecutorService(this.workers);
		this.copies = copies(options);
		this.served = new ServedSandbox(sandbox, options, this.copies);
		Routes routes = new Routes(this.served, new Authentication(options), this.scheduler);
		HttpServer http = HttpServer.create()
			.bindAddress(options::address)
			.channelGroup(this.connections)
			.idleTimeout(IDLE)
			.httpRequestDecoder((decoder) -> decoder.maxInitialLineLength(LONGEST_LINE))
			.handle(routes::handle);
		if (options.ssl() != null) {
			JdkSslContext ssl = new JdkSslContext(options.ssl(), false, null, IdentityCipherSuiteFilter.INSTANCE,
					ApplicationProtocolConfig.DISABLED, ClientAuth.OPTIONAL, null, false);
			http = http.secure((spec) -> spec.sslContext(ssl));
		}
		try {
			this.server = http.bindNow();
		}
		catch (RuntimeException ex) {
			closeCopies();
			this.scheduler.dispose();
			this.workers.shutdownNow();
			throw new IllegalStateException(String.format(Locale.ROOT,
					"The sandbox server cannot listen on %s: use another address or port", options.address()), ex);
		}
		sweepLater();
	}

	private void sweepLater() {
		try {
			this.nextSweep = this.sweeps.after(SWEEP, () -> {
				this.served.sweep();
				sweepLater();
			});
		}
		catch (RejectedExecutionException ex) {
			// closed
			this.nextSweep = null;
		}
	}

	/**
	 * Returns the address that the server listens on.
	 * @return the address, with the port that was chosen
	 */
	public @Nullable InetSocketAddress address() {
		return (InetSocketAddress) this.server.address();
	}

	/**
	 * Refuses new commands and waits until there are none.
	 * @param timeout the longest time to wait
	 * @return whether there are none
	 */
	public boolean drain(Duration timeout) {
		this.served.drain();
		long deadline = System.nanoTime() + timeout.toNanos();
		while (!this.served.isIdle() && System.nanoTime() < deadline) {
			LockSupport.parkNanos(POLL_NANOS);
		}
		return this.served.isIdle();
	}

	/**
	 * Ends all commands and the server. Closing a second time does nothing.
	 */
	@Override
	public void close() {
		Future<?> next = this.nextSweep;
		if (next != null) {
			next.cancel(false);
		}
		this.sweeps.close();
		this.served.endAll();
		// with their last answers; connections that clients keep would be served on
		// otherwise
		this.server.disposeNow(LAST_ANSWERS);
		this.connections.close().awaitUninterruptibly(LAST_ANSWERS.toMillis());
		this.scheduler.dispose();
		this.workers.shutdownNow();
		closeCopies();
	}

	private @Nullable ServedCopies copies(SandboxServerOptions options) {
		if (options.copies() == null) {
			return null;
		}
		try {
			return new ServedCopies(options.copies(), options.maxCommands(), this.workers);
		}
		catch (UncheckedIOException ex) {
			this.scheduler.dispose();
			this.workers.shutdownNow();
			throw new IllegalStateException(
					"The directory for copies cannot be used: name another one, or give it to the user of this process",
					ex);
		}
	}

	private void closeCopies() {
		if (this.copies != null) {
			this.copies.close();
		}
	}

}

package io.kairo.sandbox.remote;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.server.CopyOptions;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;

/**
 * A sandbox whose worker is in the same JVM.
 */
final class RemotePair implements ExecutionSandbox, AutoCloseable {

	static final String TOKEN = "a token of the tests";

	private final ExecutionSandbox local;

	private final SandboxServer server;

	private final RemoteSandbox remote;

	RemotePair() {
		this((port) -> port, (options) -> options);
	}

	/**
	 * Creates the pair.
	 * @param between returns the port to use instead of that of the server
	 * @param change changes the options of the server
	 */
	RemotePair(UnaryOperator<Integer> between, UnaryOperator<SandboxServerOptions> change) {
		this(new LocalProcessSandbox(), between, change, (options) -> options, new PathMapping(Path.of("/"), "/"));
	}

	private RemotePair(ExecutionSandbox local, UnaryOperator<Integer> between,
			UnaryOperator<SandboxServerOptions> change, UnaryOperator<RemoteSandboxOptions> changeClient,
			PathMapping... mappings) {
		this.local = local;
		this.server = new SandboxServer(this.local,
				change.apply(SandboxServerOptions.of(new RemoteClient("tests", TOKEN, Set.of(), List.of("/")))));
		int port = between.apply(port());
		this.remote = new RemoteSandbox(
				changeClient.apply(RemoteSandboxOptions.of(URI.create("http://127.0.0.1:" + port), TOKEN, mappings)
					.with((options) -> options.patience(Duration.ofSeconds(5)))));
	}

	/**
	 * Creates a pair whose worker has bubblewrap.
	 * @param between returns the port to use instead of that of the server
	 */
	static RemotePair bubblewrap(BubblewrapOptions options, UnaryOperator<Integer> between) {
		return new RemotePair(new BubblewrapSandbox(options), between, (server) -> server, (client) -> client,
				new PathMapping(Path.of("/"), "/"));
	}

	/**
	 * Creates a pair that shares no directory.
	 * @param between returns the port to use instead of that of the server
	 * @param worker changes the options of the server, which takes copies
	 * @param client changes the options of the client
	 */
	static RemotePair copying(UnaryOperator<Integer> between, UnaryOperator<SandboxServerOptions> worker,
			UnaryOperator<RemoteSandboxOptions> client) {
		return copying(new LocalProcessSandbox(), between, worker, client);
	}

	/**
	 * Creates a pair that shares no directory.
	 * @param local the sandbox of the worker
	 */
	static RemotePair copying(ExecutionSandbox local, UnaryOperator<Integer> between,
			UnaryOperator<SandboxServerOptions> worker, UnaryOperator<RemoteSandboxOptions> client) {
		return new RemotePair(local, between, (options) -> worker.apply(options.withCopies(CopyOptions.of(1 << 30))),
				client);
	}

	int port() {
		return Objects.requireNonNull((InetSocketAddress) this.server.address()).getPort();
	}

	@Override
	public SandboxHandle start(SandboxRequest request) {
		return this.remote.start(request);
	}

	@Override
	public SandboxCapabilities capabilities() {
		return this.remote.capabilities();
	}

	@Override
	public SandboxCapabilities capabilities(TenantContext tenant) {
		return this.remote.capabilities(tenant);
	}

	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		return this.remote.sharedDirectories(tenant);
	}

	@Override
	public void close() {
		this.remote.close();
		this.server.close();
		try {
			((AutoCloseable) this.local).close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}

package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.kairo.api.sandbox.Secret;
import io.kairo.api.tenant.TenantContext;

/**
 * One connection of a command through the proxy to a host. Blocks its thread. Ends at
 * once when another thread closes it, unless a name is being resolved.
 */
final class ProxyConnection implements AutoCloseable {

	private static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

	private final SocketChannel channel;

	private final Selector selector;

	private final ProxySettings settings;

	private final ProxyLimits limits;

	private final TenantContext tenant;

	private final Traffic traffic;

	/**
	 * Creates a connection.
	 * @param channel the channel to the client; closed with the connection
	 * @throws IOException if its resources cannot be allocated; the channel is closed
	 * then
	 */
	ProxyConnection(SocketChannel channel, ProxySettings settings, TenantContext tenant, Traffic traffic)
			throws IOException {
		this.channel = channel;
		this.settings = settings;
		this.limits = settings.limits();
		this.tenant = tenant;
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
			catch (ProxyRefusedException ex) {
				this.traffic.refused(ex);
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
		// the selector first, to wake the waiting thread
		for (AutoCloseable resource : List.of(this.selector, this.channel)) {
			try {
				resource.close();
			}
			catch (Exception ex) {
				// nothing can be done about it
			}
		}
	}

	private void serve(Client client, ProxyRequest request) throws IOException, ProxyRefusedException {
		RequestDecision decision = this.settings.rules().of(this.tenant, request);
		if (decision != null) {
			serve(client, request, decision);
			return;
		}
		Route route = this.settings.destinations().route(request.target());
		if (route.upstream() != null && !request.isTunnel()) {
			serve(client, request, route, route.upstream());
			return;
		}
		try (SocketChannel host = connector().connect(route)) {
			this.traffic.allowed();
			if (request.isTunnel()) {
				client.answer(ESTABLISHED);
			}
			Flow up = new Flow(this.channel, host, request.bodyBytes(), request.isTunnel());
			up.begin(client.rest());
			forward(request.head(), host, host, up, new Flow(host, this.channel, Long.MAX_VALUE, true));
		}
	}

	/**
	 * Serves a plain request through an upstream proxy that forwards it: such proxies
	 * often open tunnels for TLS only.
	 */
	private void serve(Client client, ProxyRequest request, Route route, UpstreamProxy upstream)
			throws IOException, ProxyRefusedException {
		if (request.method().equals("TRACE")) {
			// its answer repeats the request, with the credentials
			throw new ProxyRefusedException(Refusal.BAD_REQUEST, request.target());
		}
		try (SocketChannel proxy = connector().connect(route, upstream)) {
			this.traffic.allowed();
			Flow up = new Flow(this.channel, proxy, request.bodyBytes(), false);
			up.begin(client.rest());
			Flow down = new Flow(upstream.guarded(proxy), this.channel, Long.MAX_VALUE, true);
			try {
				forward(request.head(upstream), proxy, proxy, up, down);
			}
			catch (ResponseGuard.BadResponseException ex) {
				if (down.count() == 0) {
					throw (ex instanceof ResponseGuard.UnauthorizedException)
							? UpstreamTunnel.unauthorized(upstream, request.target())
							: new ProxyRefusedException(Refusal.BAD_RESPONSE, request.target());
				}
			}
		}
	}

	/**
	 * Serves a request over TLS. The secret is determined before there is a connection,
	 * and the host is verified before the request is sent.
	 */
	private void serve(Client client, ProxyRequest request, RequestDecision decision)
			throws IOException, ProxyRefusedException {
		Target target = decision.target();
		Route route = this.settings.destinations().route(target);
		Secret secret = this.settings.rules().secret(this.tenant, decision);
		try (SocketChannel host = connector().connect(route)) {
			TlsChannel secure = connector().secure(host, this.settings.rules().ssl(), target);
			this.traffic.allowed();
			Flow up = new Flow(this.channel, secure, request.bodyBytes(), false);
			up.begin(client.rest());
			Flow down = new Flow(decision.guarded(secure, secret), this.channel, Long.MAX_VALUE, true);
			try {
				forward(decision.head(request, secret), host, secure, up, down);
			}
			catch (ResponseGuard.BadResponseException ex) {
				if (down.count() == 0) {
					throw new ProxyRefusedException(Refusal.BAD_RESPONSE, target);
				}
			}
		}
	}

	private HostConnector connector() {
		return new HostConnector(new ChannelWait(this.selector), this.limits.connectTimeout());
	}

	/**
	 * Sends the head of a request to a host, and then moves bytes in both directions.
	 * @param channel the channel to the host, possibly with TLS
	 */
	private void forward(String head, SocketChannel host, ByteChannel channel, Flow up, Flow down) throws IOException {
		ByteBuffer first = ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1));
		try {
			while (first.hasRemaining()) {
				if (channel.write(first) == 0 && !new ChannelWait(this.selector).await(host, SelectionKey.OP_WRITE,
						this.limits.idleTimeout())) {
					return;
				}
			}
			exchange(host, channel, up, down, head.isEmpty());
		}
		finally {
			this.traffic.moved(up.count() + first.position(), down.count());
		}
	}

	/**
	 * Moves bytes in both directions until both sides have ended, or the connection was
	 * idle for too long. A plain request ends with its response.
	 */
	private void exchange(SocketChannel host, ByteChannel channel, Flow up, Flow down, boolean tunnel)
			throws IOException {
		SelectionKey hostKey = host.register(this.selector, 0);
		SelectionKey clientKey = this.channel.register(this.selector, 0);
		long moved = System.nanoTime();
		boolean waiting = false;
		while (!down.isDone() || (tunnel && !up.isDone())) {
			clientKey.interestOps(up.interestInSource() | down.interestInSink());
			int own = (channel instanceof TlsChannel secure) ? secure.interest() : 0;
			hostKey.interestOps(down.interestInSource() | up.interestInSink() | own);
			long left = this.limits.idleTimeout().toMillis() - (System.nanoTime() - moved) / 1_000_000;
			if (left <= 0) {
				return;
			}
			if (waiting) {
				this.selector.select(left);
				this.selector.selectedKeys().clear();
			}
			boolean sent = up.move();
			boolean received = down.move();
			// data that has been decrypted does not make the channel ready
			waiting = !sent && !received;
			if (!waiting) {
				moved = System.nanoTime();
			}
		}
	}

}

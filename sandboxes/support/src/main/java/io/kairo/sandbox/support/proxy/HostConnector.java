package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SSLContext;

/**
 * Connects to hosts. For use by one thread.
 *
 * @param channels waits for them
 * @param timeout timeout for a connection to each address of a host
 */
record HostConnector(ChannelWait channels, Duration timeout) {

	/**
	 * Connects to a target, directly or by a tunnel through an upstream proxy.
	 * @throws ProxyRefusedException if it cannot be reached
	 */
	SocketChannel connect(Route route) throws IOException, ProxyRefusedException {
		UpstreamProxy upstream = route.upstream();
		if (upstream == null) {
			return connect(route.target(), route.addresses());
		}
		SocketChannel proxy = connect(route, upstream);
		boolean open = false;
		try {
			new UpstreamTunnel(upstream, this.channels, this.timeout).open(proxy, route.target());
			open = true;
			return proxy;
		}
		finally {
			if (!open) {
				proxy.close();
			}
		}
	}

	/**
	 * Connects to the upstream proxy of a route.
	 * @throws ProxyRefusedException if it cannot be reached
	 */
	SocketChannel connect(Route route, UpstreamProxy upstream) throws IOException, ProxyRefusedException {
		try {
			return connect(route.target(), route.addresses());
		}
		catch (ProxyRefusedException ex) {
			throw new ProxyRefusedException(Refusal.UPSTREAM_UNAVAILABLE, route.target(),
					upstream + ": " + ex.refusal().code());
		}
	}

	/**
	 * Connects to the first address that accepts a connection.
	 * @param addresses the checked addresses of the target
	 * @throws ProxyRefusedException if there is none
	 */
	SocketChannel connect(Target target, List<InetSocketAddress> addresses) throws IOException, ProxyRefusedException {
		Refusal reason = Refusal.UNREACHABLE;
		for (InetSocketAddress address : addresses) {
			SocketChannel host = SocketChannel.open();
			boolean connected = false;
			try {
				host.configureBlocking(false);
				connected = host.connect(address)
						|| (this.channels.await(host, SelectionKey.OP_CONNECT, this.timeout) && host.finishConnect());
				if (connected) {
					return host;
				}
				reason = Refusal.CONNECT_TIMEOUT;
			}
			catch (IOException ex) {
				reason = Refusal.UNREACHABLE;
			}
			finally {
				if (!connected) {
					host.close();
				}
			}
		}
		throw new ProxyRefusedException(reason, target);
	}

	/**
	 * Establishes TLS on a connection, before any byte of a request is sent.
	 * @throws ProxyRefusedException if the host does not speak TLS, its certificate is
	 * not valid for it, or it does not answer in time
	 */
	TlsChannel secure(SocketChannel host, SSLContext context, Target target) throws ProxyRefusedException {
		TlsChannel secure = new TlsChannel(host, context, target);
		try {
			if (secure.handshake(this.channels, this.timeout)) {
				return secure;
			}
		}
		catch (IOException ex) {
			throw new ProxyRefusedException(Refusal.TLS_FAILED, target, ex.getMessage());
		}
		throw new ProxyRefusedException(Refusal.CONNECT_TIMEOUT, target);
	}

}

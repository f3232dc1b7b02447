package io.kairo.sandbox.remote.server;

import java.security.Principal;
import java.util.concurrent.atomic.AtomicReference;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;

import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Finds the client of a request: by its token, or else by the common name of its
 * certificate.
 *
 * @param options the options with the clients
 */
record Authentication(SandboxServerOptions options) {

	private static final String BEARER = "Bearer ";

	/**
	 * Returns the client of a request.
	 * @throws RefusedRequestException if it is not known
	 */
	RemoteClient client(HttpServerRequest request) {
		String header = request.requestHeaders().get("Authorization");
		RemoteClient found = (header != null) ? byToken(header) : byCertificate(request);
		if (found == null) {
			throw new RefusedRequestException(ErrorMessage.UNAUTHORIZED, "The client is not known",
					"send the header 'Authorization: Bearer' with the token that the worker has, or a certificate");
		}
		return found;
	}

	private @Nullable RemoteClient byToken(String header) {
		if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
			return null;
		}
		String token = header.substring(BEARER.length()).strip();
		RemoteClient found = null;
		for (RemoteClient client : this.options.clients()) {
			// all are compared, so that the time does not reveal the matching one
			found = client.has(token) ? client : found;
		}
		return found;
	}

	private @Nullable RemoteClient byCertificate(HttpServerRequest request) {
		AtomicReference<@Nullable String> name = new AtomicReference<>();
		request.withConnection((connection) -> {
			// behind a parent channel, as with HTTP/2, there is no certificate
			SslHandler ssl = connection.channel().pipeline().get(SslHandler.class);
			name.set((ssl != null) ? commonName(ssl) : null);
		});
		return this.options.clients()
			.stream()
			.filter((client) -> client.name().equals(name.get()))
			.findFirst()
			.orElse(null);
	}

	private static @Nullable String commonName(SslHandler ssl) {
		try {
			Principal principal = ssl.engine().getSession().getPeerPrincipal();
			for (Rdn part : new LdapName(principal.getName()).getRdns()) {
				if (part.getType().equalsIgnoreCase("CN")) {
					return String.valueOf(part.getValue());
				}
			}
			return null;
		}
		catch (SSLPeerUnverifiedException | InvalidNameException ex) {
			return null;
		}
	}

}

package io.kairo.sandbox.support.proxy;

import java.nio.channels.ReadableByteChannel;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.Secret;
import org.jspecify.annotations.Nullable;

/**
 * The result of the rules for a request that is sent to its host over TLS.
 *
 * @param target the target to connect to
 * @param path the path to request
 * @param header the header field to add, null for none
 */
record RequestDecision(Target target, RequestPath path, @Nullable InjectedHeader header) {

	/**
	 * Fields that let servers replace the method, the path or the host of a request.
	 */
	private static final Set<String> OVERRIDES = Set.of("x-http-method-override", "x-http-method", "x-method-override",
			"x-original-method", "x-original-url", "x-rewrite-url", "x-original-uri", "x-forwarded-uri",
			"x-forwarded-path", "x-forwarded-prefix", "x-forwarded-host", "x-forwarded-server", "x-forwarded-port",
			"x-forwarded-method", "x-original-host", "x-host", "x-proxy-url", "forwarded", "max-forwards");

	/**
	 * Returns the head to send to the host.
	 * @param secret the secret; null without a header field to add
	 */
	String head(ProxyRequest request, @Nullable Secret secret) {
		InjectedHeader added = this.header;
		if (added == null || secret == null) {
			return request.head(this.path.toString(), authority(), (name) -> !isOverride(name), "");
		}
		// compression would hide the secret from the guard of the response
		return request.head(this.path.toString(), authority(),
				(name) -> !isOverride(name) && !added.isNamed(name) && !name.equalsIgnoreCase("accept-encoding"),
				"Accept-Encoding: identity\r\n" + added.name() + ": " + added.value(secret) + "\r\n");
	}

	/**
	 * Returns the response of the host, without the secret.
	 * @param secret the secret, or null
	 */
	ReadableByteChannel guarded(ReadableByteChannel host, @Nullable Secret secret) {
		InjectedHeader added = this.header;
		return (added != null && secret != null) ? new ResponseGuard(host,
				Stream.of(secret.reveal(), added.credential(secret)).collect(Collectors.toSet())) : host;
	}

	private String authority() {
		return (this.target.port() == Target.HTTPS_PORT) ? this.target.host().toString() : this.target.toString();
	}

	private static boolean isOverride(String name) {
		return OVERRIDES.contains(InjectedHeader.canonical(name));
	}

}

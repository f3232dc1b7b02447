package io.kairo.sandbox.support.proxy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A request to the proxy: for a tunnel, or a plain HTTP request to forward. A connection
 * carries one request, so that each one is checked.
 *
 * @param target the target
 * @param source the head as the client sent it
 * @param path the path and query to request from the host; empty for a tunnel
 * @param bodyBytes maximum number of bytes from the client that may follow;
 * {@link Long#MAX_VALUE} for a tunnel
 */
record ProxyRequest(Target target, RequestHead source, String path, long bodyBytes) {

	private static final Pattern ABSOLUTE = Pattern.compile("[Hh][Tt][Tt][Pp]://([^/?#]*)([/?][^#]*)?");

	private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

	/** Hop-by-hop fields, see RFC 9110, section 7.6.1. */
	private static final Set<String> OF_THIS_CONNECTION = Set.of("connection", "proxy-connection", "keep-alive", "te",
			"trailer", "upgrade", "proxy-authorization", "proxy-authenticate", "host");

	/**
	 * Interprets a request.
	 * @throws ProxyRefusedException if the request is malformed or not supported
	 */
	static ProxyRequest of(RequestHead head) throws ProxyRefusedException {
		if (head.method().equals("CONNECT")) {
			return new ProxyRequest(target(head.target(), null), head, "", Long.MAX_VALUE);
		}
		Matcher url = ABSOLUTE.matcher(head.target());
		if (!url.matches()) {
			throw new ProxyRefusedException(Refusal.BAD_REQUEST);
		}
		Target target = target(url.group(1), Target.HTTP_PORT);
		List<String> hosts = head.values("Host");
		boolean fits = hosts.stream().allMatch((host) -> target.equals(Target.of(host, Target.HTTP_PORT)));
		if (!fits || hosts.size() > 1 || (hosts.isEmpty() && head.version().equals("HTTP/1.1"))) {
			throw new ProxyRefusedException(Refusal.BAD_REQUEST, target);
		}
		String path = Objects.requireNonNullElse(url.group(2), "");
		return new ProxyRequest(target, head, path.startsWith("/") ? path : "/" + path, bodyBytes(head, target));
	}

	boolean isTunnel() {
		return this.path.isEmpty();
	}

	String method() {
		return this.source.method();
	}

	/**
	 * Returns the head to send to the host first; empty for a tunnel.
	 */
	String head() {
		return isTunnel() ? "" : head(this.path, authority(), (name) -> true, "");
	}

	/**
	 * Returns the head to send to an upstream proxy that forwards the request. A limit of
	 * forwards is omitted, since a proxy at the limit repeats the request with the
	 * credentials.
	 */
	String head(UpstreamProxy upstream) {
		return head("http://" + authority() + this.path, authority(), (name) -> !name.equalsIgnoreCase("max-forwards"),
				upstream.authorization());
	}

	/**
	 * Returns the head with some changes.
	 * @param path the path and query
	 * @param authority the value of the field {@code Host}
	 * @param kept the names of fields of the client to keep; others are omitted
	 * @param added further fields, each with its line terminator
	 */
	String head(String path, String authority, Predicate<String> kept, String added) {
		Set<String> dropped = ofThisConnection();
		StringBuilder text = new StringBuilder();
		text.append(method()).append(' ').append(path).append(' ').append(this.source.version()).append("\r\n");
		text.append("Host: ").append(authority).append("\r\n");
		this.source.fields()
			.stream()
			.filter((field) -> !dropped.contains(field.name().toLowerCase(Locale.ROOT)) && kept.test(field.name()))
			.forEach((field) -> text.append(field.name()).append(": ").append(field.value()).append("\r\n"));
		return text.append(added).append("Connection: close\r\n\r\n").toString();
	}

	private String authority() {
		return (this.target.port() == Target.HTTP_PORT) ? this.target.host().toString() : this.target.toString();
	}

	private static Target target(String authority, @Nullable Integer usualPort) throws ProxyRefusedException {
		Target target = Target.of(authority, usualPort);
		if (target == null) {
			throw new ProxyRefusedException(Refusal.BAD_HOST);
		}
		return target;
	}

	/**
	 * Returns the length of the body. If a server could interpret the length differently
	 * than the proxy, a second request could be smuggled to another host of that server.
	 */
	private static long bodyBytes(RequestHead head, Target target) throws ProxyRefusedException {
		List<String> lengths = head.values("Content-Length");
		if (!head.values("Transfer-Encoding").isEmpty()) {
			throw new ProxyRefusedException(lengths.isEmpty() ? Refusal.LENGTH_REQUIRED : Refusal.BAD_REQUEST, target);
		}
		if (lengths.isEmpty()) {
			return 0;
		}
		if (lengths.size() > 1 || !LENGTH.matcher(lengths.get(0)).matches()) {
			throw new ProxyRefusedException(Refusal.BAD_REQUEST, target);
		}
		return Long.parseLong(lengths.get(0));
	}

	/**
	 * Returns the names of the fields that concern the connection of the client only.
	 */
	private Set<String> ofThisConnection() {
		Set<String> dropped = new TreeSet<>(OF_THIS_CONNECTION);
		this.source.values("Connection")
			.stream()
			.flatMap((value) -> Arrays.stream(value.split(",", -1)))
			.map((name) -> name.strip().toLowerCase(Locale.ROOT))
			.filter((name) -> !name.equals("content-length"))
			.forEach(dropped::add);
		return dropped;
	}

}

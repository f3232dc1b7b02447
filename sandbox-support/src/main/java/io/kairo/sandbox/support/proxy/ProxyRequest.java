package io.kairo.sandbox.support.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A request to the proxy: for a tunnel, or a plain HTTP request to forward. A connection
 * carries one request, so that each one is checked.
 *
 * @param target the target
 * @param head the head to send to the host first; empty for a tunnel
 * @param bodyBytes maximum number of bytes from the client that may follow;
 * {@link Long#MAX_VALUE} for a tunnel
 */
record ProxyRequest(Target target, String head, long bodyBytes) {

	private static final Pattern ABSOLUTE = Pattern.compile("[Hh][Tt][Tt][Pp]://([^/?#]*)([/?][^#]*)?");

	private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

	/** Hop-by-hop fields, see RFC 9110, section 7.6.1. */
	private static final Set<String> OF_THIS_CONNECTION = Set.of("connection", "proxy-connection", "keep-alive", "te",
			"trailer", "upgrade", "proxy-authorization", "proxy-authenticate", "host");

	/**
	 * Interprets a request.
	 * @throws RefusedException if the request is malformed or not supported
	 */
	static ProxyRequest of(RequestHead head) throws RefusedException {
		if (head.method().equals("CONNECT")) {
			return new ProxyRequest(target(head.target(), null), "", Long.MAX_VALUE);
		}
		Matcher url = ABSOLUTE.matcher(head.target());
		if (!url.matches()) {
			throw new RefusedException(Refusal.BAD_REQUEST);
		}
		Target target = target(url.group(1), Target.HTTP_PORT);
		List<String> hosts = head.values("Host");
		boolean fits = hosts.stream().allMatch((host) -> target.equals(Target.of(host, Target.HTTP_PORT)));
		if (!fits || hosts.size() > 1 || (hosts.isEmpty() && head.version().equals("HTTP/1.1"))) {
			throw new RefusedException(Refusal.BAD_REQUEST, target);
		}
		String path = Objects.requireNonNullElse(url.group(2), "");
		return new ProxyRequest(target, forwarded(head, target, path.startsWith("/") ? path : "/" + path),
				bodyBytes(head, target));
	}

	boolean isTunnel() {
		return this.head.isEmpty();
	}

	byte[] headBytes() {
		return this.head.getBytes(StandardCharsets.ISO_8859_1);
	}

	private static Target target(String authority, @Nullable Integer usualPort) throws RefusedException {
		Target target = Target.of(authority, usualPort);
		if (target == null) {
			throw new RefusedException(Refusal.BAD_HOST);
		}
		return target;
	}

	/**
	 * Returns the length of the body. If a server could interpret the length differently
	 * than the proxy, a second request could be smuggled to another host of that server.
	 */
	private static long bodyBytes(RequestHead head, Target target) throws RefusedException {
		List<String> lengths = head.values("Content-Length");
		if (!head.values("Transfer-Encoding").isEmpty()) {
			throw new RefusedException(lengths.isEmpty() ? Refusal.LENGTH_REQUIRED : Refusal.BAD_REQUEST, target);
		}
		if (lengths.isEmpty()) {
			return 0;
		}
		if (lengths.size() > 1 || !LENGTH.matcher(lengths.get(0)).matches()) {
			throw new RefusedException(Refusal.BAD_REQUEST, target);
		}
		return Long.parseLong(lengths.get(0));
	}

	private static String forwarded(RequestHead head, Target target, String path) {
		Set<String> dropped = new TreeSet<>(OF_THIS_CONNECTION);
		head.values("Connection")
			.stream()
			.flatMap((value) -> Arrays.stream(value.split(",", -1)))
			.map((name) -> name.strip().toLowerCase(Locale.ROOT))
			.filter((name) -> !name.equals("content-length"))
			.forEach(dropped::add);
		StringBuilder text = new StringBuilder();
		text.append(head.method()).append(' ').append(path).append(' ').append(head.version()).append("\r\n");
		text.append("Host: ").append((target.port() == Target.HTTP_PORT) ? target.host() : target).append("\r\n");
		head.fields()
			.stream()
			.filter((field) -> !dropped.contains(field.name().toLowerCase(Locale.ROOT)))
			.forEach((field) -> text.append(field.name()).append(": ").append(field.value()).append("\r\n"));
		return text.append("Connection: close\r\n\r\n").toString();
	}

}

package io.kairo.sandbox.support.proxy;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * A rule for requests that commands send to a host. Immutable.
 */
public final class RequestRule {

	private static final Set<String> READING = Set.of("GET", "HEAD");

	/** Methods whose answer contains the request, or that are not forwarded. */
	private static final Set<String> REFLECTING = Set.of("TRACE", "TRACK", "CONNECT", "DEBUG");

	private final Target target;

	private final boolean usualPorts;

	private final Action action;

	private final @Nullable InjectedHeader header;

	private final @Nullable String tenant;

	private final Set<String> methods;

	private final String path;

	private final @Nullable GitAccess git;

	private RequestRule(Target target, boolean usualPorts, Action action, @Nullable InjectedHeader header,
			@Nullable String tenant, Set<String> methods, String path, @Nullable GitAccess git) {
		this.target = target;
		this.usualPorts = usualPorts;
		this.action = action;
		this.header = header;
		this.tenant = tenant;
		this.methods = methods;
		this.path = path;
		this.git = git;
	}

	/**
	 * Creates a rule that adds a secret to requests with the method GET or HEAD.
	 * @param host a host name or IPv4 address, with an optional port after a colon; the
	 * default port is 443
	 * @param header the header field to add
	 * @return the rule, for all tenants and paths
	 * @throws IllegalArgumentException if the host is invalid
	 */
	public static RequestRule inject(String host, InjectedHeader header) {
		return of(host, Action.INJECT, header, READING);
	}

	/**
	 * Creates a rule that forwards requests as they are.
	 * @param host the host, as for {@link #inject}
	 * @return the rule, for all tenants, methods and paths
	 * @throws IllegalArgumentException if the host is invalid
	 */
	public static RequestRule forward(String host) {
		return of(host, Action.FORWARD, null, Set.of());
	}

	/**
	 * Creates a rule that refuses requests. Tunnels to the host are refused as well,
	 * since the requests in them cannot be seen.
	 * @param host the host, as for {@link #inject}
	 * @return the rule, for all tenants, methods and paths
	 * @throws IllegalArgumentException if the host is invalid
	 */
	public static RequestRule deny(String host) {
		return of(host, Action.DENY, null, Set.of());
	}

	private static RequestRule of(String host, Action action, @Nullable InjectedHeader header, Set<String> methods) {
		Target target = Target.of(host, Target.HTTPS_PORT);
		if (target == null) {
			throw new IllegalArgumentException(
					"'" + host + "' is no host: write a name such as example.org or example.org:8443");
		}
		return new RequestRule(target, target.port() == Target.HTTPS_PORT, action, header, null, methods, "/", null);
	}

	/**
	 * Returns this rule for the commands of one tenant.
	 * @param tenant the id of the tenant; null for all
	 * @return a new rule
	 */
	public RequestRule withTenant(@Nullable String tenant) {
		return new RequestRule(this.target, this.usualPorts, this.action, this.header, tenant, this.methods, this.path,
				this.git);
	}

	/**
	 * Returns this rule for some methods.
	 * @param methods the methods in upper case; empty for all, not accepted by a rule
	 * with a secret
	 * @return a new rule
	 * @throws IllegalArgumentException if a method has another form, or would return the
	 * secret, or none is named for a rule with a secret
	 */
	public RequestRule withMethods(Set<String> methods) {
		if (methods.isEmpty() && this.action == Action.INJECT) {
			throw new IllegalArgumentException("A rule with a secret has to name its methods, such as GET");
		}
		methods.forEach((method) -> {
			if (!method.matches("[A-Z][A-Z-]{0,31}") || REFLECTING.contains(method)) {
				throw new IllegalArgumentException("'" + method + "' is not a method that a rule can name: use GET, "
						+ "HEAD, POST, PUT, PATCH, DELETE or another one in upper case, but none of "
						+ new TreeSet<>(REFLECTING));
			}
		});
		return new RequestRule(this.target, this.usualPorts, this.action, this.header, this.tenant, Set.copyOf(methods),
				this.path, this.git);
	}

	/**
	 * Returns this rule for the paths below a prefix.
	 * @param prefix the prefix, such as {@code /team/}; without a slash at its end, it
	 * stands also for itself
	 * @return a new rule
	 * @throws IllegalArgumentException if servers could interpret the prefix differently,
	 * such as with {@code ..} or {@code %2F}
	 */
	public RequestRule withPath(String prefix) {
		RequestPath parsed = RequestPath.of(prefix);
		if (parsed == null || !prefix.startsWith("/") || parsed.query() != null) {
			throw new IllegalArgumentException("'" + prefix
					+ "' is no prefix of a path: begin with a slash, encode what "
					+ "is neither a letter, a digit nor one of -._~!$&'()*+,=:@/, and leave out a query, '//', '.' and '..'");
		}
		return new RequestRule(this.target, this.usualPorts, this.action, this.header, this.tenant, this.methods,
				parsed.path(), this.git);
	}

	/**
	 * Returns this rule for requests of Git. It has the methods of Git then.
	 * @param access the requests; null for all, including requests that are not of Git
	 * @return a new rule
	 * @throws IllegalArgumentException if this rule refuses requests: a request that is
	 * only similar to one of Git would not be refused
	 */
	public RequestRule withGit(@Nullable GitAccess access) {
		if (access != null && this.action == Action.DENY) {
			throw new IllegalArgumentException("A rule that refuses requests cannot be limited to those of Git: "
					+ "allow some with a rule of its own, and refuse all others");
		}
		return new RequestRule(this.target, this.usualPorts, this.action, this.header, this.tenant, this.methods,
				this.path, access);
	}

	/**
	 * Returns the host and port that requests are sent to.
	 * @return the host, a colon and the port
	 */
	public String destination() {
		return this.target.toString();
	}

	/**
	 * Returns the tenant whose requests the rule applies to.
	 * @return the id of the tenant; null for all
	 */
	public @Nullable String tenant() {
		return this.tenant;
	}

	/**
	 * Returns the header field to add.
	 * @return the field; null for none
	 */
	public @Nullable InjectedHeader header() {
		return this.header;
	}

	boolean denies() {
		return this.action == Action.DENY;
	}

	/**
	 * Returns the target of matching requests. They are sent over TLS.
	 */
	Target target() {
		return this.target;
	}

	/**
	 * Returns whether the rule is for a host and port as they are in a request.
	 */
	boolean isFor(Target requested) {
		return requested.host().equals(this.target.host()) && (requested.port() == this.target.port()
				|| (this.usualPorts && requested.port() == Target.HTTP_PORT));
	}

	boolean matches(String method, RequestPath path) {
		if (!path.isWithin(this.path, denies())) {
			return false;
		}
		if (this.git != null) {
			return this.git.includes(method, path);
		}
		return this.methods.isEmpty() || this.methods.contains(method);
	}

	@Override
	public String toString() {
		return ((this.tenant != null) ? this.tenant + ": " : "") + this.action.name().toLowerCase(Locale.ROOT) + " "
				+ ((this.git != null) ? "git " + this.git.name().toLowerCase(Locale.ROOT)
						: this.methods.isEmpty() ? "*" : String.join(",", new TreeSet<>(this.methods)))
				+ " " + this.target + this.path + ((this.header != null) ? " (" + this.header + ")" : "");
	}

	/**
	 * The effect of a rule.
	 */
	private enum Action {

		INJECT, FORWARD, DENY

	}

}

package io.kairo.sandbox.support.proxy;

import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import javax.net.ssl.SSLContext;

import io.kairo.api.sandbox.Secret;
import io.kairo.api.sandbox.SecretSource;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * The rules for requests that commands send to hosts of an allow-list. The first rule
 * that matches a request applies. Every plain HTTP request to a host that a tenant has a
 * rule for is sent to that host over TLS, with validation of its certificate; a request
 * that matches no rule is forwarded without a secret. Safe for use by several threads.
 */
public final class RequestRules {

	/** No rules. */
	public static final RequestRules NONE = new RequestRules(List.of(), (name, tenant) -> null, Duration.ofSeconds(5),
			null);

	private final List<RequestRule> rules;

	private final SecretLookup secrets;

	private final @Nullable SSLContext ssl;

	private RequestRules(List<RequestRule> rules, SecretSource source, Duration timeout, @Nullable SSLContext ssl) {
		this.rules = List.copyOf(rules);
		this.secrets = new SecretLookup(source, timeout);
		this.ssl = ssl;
	}

	/**
	 * Creates rules.
	 * @param rules the rules, in the order of their precedence
	 * @param source the source of the secrets that the rules name
	 * @param timeout the timeout of the source, above zero
	 * @return the rules
	 * @throws IllegalArgumentException if the timeout is not above zero
	 */
	public static RequestRules of(List<RequestRule> rules, SecretSource source, Duration timeout) {
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("The timeout " + timeout + " is not above zero");
		}
		return new RequestRules(rules, source, timeout, defaultContext());
	}

	/**
	 * Returns these rules with other authorities for the certificates of hosts.
	 * @param ssl the context with the trusted authorities
	 * @return new rules
	 */
	public RequestRules withSsl(SSLContext ssl) {
		return new RequestRules(this.rules, this.secrets, ssl);
	}

	private RequestRules(List<RequestRule> rules, SecretLookup secrets, SSLContext ssl) {
		this.rules = rules;
		this.secrets = secrets;
		this.ssl = ssl;
	}

	/**
	 * Returns the rules.
	 * @return the rules, in the order of their precedence
	 */
	public List<RequestRule> rules() {
		return this.rules;
	}

	/**
	 * Returns the hosts that a tenant has to address by {@code http} for the rules to
	 * apply.
	 * @param tenant the tenant
	 * @return the hosts, with a port unless it is 443
	 */
	List<String> hosts(TenantContext tenant) {
		return of(tenant, (rule) -> true).stream()
			.map(RequestRule::target)
			.distinct()
			.map((target) -> (target.port() == Target.HTTPS_PORT) ? target.host().toString() : target.toString())
			.toList();
	}

	/**
	 * Applies the rules to a request.
	 * @return the result, null if the tenant has no rule for the host, or for a tunnel
	 * that may be opened
	 * @throws ProxyRefusedException if a rule refuses the request, or it cannot be
	 * compared with the rules
	 */
	@Nullable RequestDecision of(TenantContext tenant, ProxyRequest request) throws ProxyRefusedException {
		List<RequestRule> rules = of(tenant, (rule) -> rule.isFor(request.target()));
		if (rules.isEmpty()) {
			return null;
		}
		if (request.isTunnel()) {
			if (rules.stream().anyMatch(RequestRule::denies)) {
				throw new ProxyRefusedException(Refusal.TUNNEL_DENIED, request.target());
			}
			return null;
		}
		RequestPath path = RequestPath.of(request.path());
		if (path == null) {
			throw new ProxyRefusedException(Refusal.AMBIGUOUS_PATH, request.target());
		}
		String method = request.method();
		if (!method.chars().allMatch((character) -> (character >= 'A' && character <= 'Z') || character == '-')) {
			throw new ProxyRefusedException(Refusal.BAD_REQUEST, request.target());
		}
		for (RequestRule rule : rules) {
			if (rule.matches(method, path)) {
				if (rule.denies()) {
					throw new ProxyRefusedException(Refusal.DENIED_BY_RULE, request.target());
				}
				return new RequestDecision(rule.target(), path, rule.header());
			}
		}
		return new RequestDecision(rules.get(0).target(), path, null);
	}

	/**
	 * Finds the secret of a result.
	 * @return the secret, null if the result has none
	 * @throws ProxyRefusedException if the secret is not available
	 */
	@Nullable Secret secret(TenantContext tenant, RequestDecision decision) throws ProxyRefusedException {
		InjectedHeader header = decision.header();
		return (header != null) ? this.secrets.find(header.secret(), tenant, decision.target()) : null;
	}

	/**
	 * Returns the context of connections to hosts.
	 */
	SSLContext ssl() {
		return (this.ssl != null) ? this.ssl : defaultContext();
	}

	private List<RequestRule> of(TenantContext tenant, Predicate<RequestRule> condition) {
		return this.rules.stream()
			.filter((rule) -> rule.tenant() == null || rule.tenant().equals(tenant.tenantId()))
			.filter(condition)
			.toList();
	}

	private static SSLContext defaultContext() {
		try {
			return SSLContext.getDefault();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("The Java runtime has no usable default for TLS", ex);
		}
	}

	@Override
	public String toString() {
		return this.rules.toString();
	}

}

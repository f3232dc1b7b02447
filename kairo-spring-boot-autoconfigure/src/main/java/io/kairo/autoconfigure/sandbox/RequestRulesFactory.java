package io.kairo.autoconfigure.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SecretSource;
import io.kairo.api.tenant.TenantContext;
import io.kairo.boot.BundleSslContext;
import io.kairo.sandbox.support.proxy.GitAccess;
import io.kairo.sandbox.support.proxy.InjectedHeader;
import io.kairo.sandbox.support.proxy.RequestRule;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * Creates the configured rules for requests of commands. Every failure names the
 * property; none contains a secret.
 */
final class RequestRulesFactory {

	private final SecretProperties properties;

	private final SecretSource source;

	private final SandboxProperties sandbox;

	RequestRulesFactory(SecretProperties properties, SecretSource source, SandboxProperties sandbox) {
		this.properties = properties;
		this.source = source;
		this.sandbox = sandbox;
	}

	/**
	 * Creates the rules.
	 * @param bundles the SSL bundles of the application
	 */
	RequestRules create(ObjectProvider<SslBundles> bundles) {
		List<RequestRule> rules = new ArrayList<>();
		for (int i = 0; i < this.properties.rules().size(); i++) {
			rules.add(rule("rules[" + i + "].", this.properties.rules().get(i)));
		}
		requireAbsenceFromEnvironment();
		RequestRules created = RequestRules.of(rules, this.source, this.properties.timeout());
		String bundle = this.properties.sslBundle();
		if (!StringUtils.hasText(bundle)) {
			return created;
		}
		try {
			return created.withSsl(BundleSslContext.of(bundles.getObject(), bundle));
		}
		catch (NoSuchSslBundleException ex) {
			throw SecretProperties.invalid("ssl-bundle", bundle,
					"there is no such bundle: define it below spring.ssl.bundle");
		}
	}

	private RequestRule rule(String prefix, SecretRuleProperties properties) {
		String host = properties.host();
		if (!StringUtils.hasText(host)) {
			throw SecretProperties.invalid(prefix + "host", "", "it is missing: name a host of the allow-list");
		}
		RequestRule rule = step(prefix + "host", host, () -> switch (properties.action()) {
			case INJECT -> RequestRule.inject(host, header(prefix, properties));
			case FORWARD -> RequestRule.forward(host);
			case DENY -> RequestRule.deny(host);
		}).withTenant(properties.tenant());
		requireNoSecret(prefix, properties);
		RequestRule withPath = step(prefix + "path", properties.path(), () -> rule.withPath(properties.path()));
		RequestRule complete = step(prefix + "git", properties.git(), () -> withPath.withGit(git(properties)));
		if (properties.git() != null && !properties.methods().isEmpty()) {
			throw SecretProperties.invalid(prefix + "methods", properties.methods(),
					"a rule for Git has the methods of Git: remove it, or " + prefix + "git");
		}
		requireListed(prefix, host, complete);
		return properties.methods().isEmpty() ? complete : step(prefix + "methods", properties.methods(),
				() -> complete.withMethods(Set.copyOf(properties.methods())));
	}

	private InjectedHeader header(String prefix, SecretRuleProperties properties) {
		String secret = properties.secret();
		if (!StringUtils.hasText(secret)) {
			throw SecretProperties.invalid(prefix + "secret", "",
					"it is missing: name a secret, or set " + prefix + "action to forward or deny");
		}
		requireDefined(prefix, secret, properties.tenant());
		String username = properties.username();
		return (username != null) ? step(prefix + "username", username, () -> InjectedHeader.basic(secret, username))
				: step(prefix + "header", properties.header() + ": " + properties.value(),
						() -> InjectedHeader.of(secret, properties.header(), properties.value()));
	}

	private void requireNoSecret(String prefix, SecretRuleProperties properties) {
		if (properties.action() != SecretRuleProperties.Action.INJECT && properties.secret() != null) {
			throw SecretProperties.invalid(prefix + "secret", properties.secret(),
					"a rule with this action adds no secret: remove it");
		}
	}

	private void requireDefined(String prefix, String secret, @Nullable String tenant) {
		boolean defined = this.source.defines(secret);
		if (defined && tenant != null && this.source instanceof PropertySecretSource) {
			defined = this.source.find(secret, new TenantContext(tenant, TenantContext.SINGLE.principalId())) != null;
		}
		if (!defined) {
			throw SecretProperties.invalid(prefix + "secret", secret,
					"there is no such secret: set kairo.secrets.tenants." + ((tenant != null) ? tenant : "<tenant>")
							+ "." + secret + ", or kairo.secrets.shared." + secret + " for all tenants");
		}
	}

	/**
	 * Checks that commands reach the host of a rule: a rule without an effect is a
	 * mistake.
	 */
	private void requireListed(String prefix, String host, RequestRule rule) {
		String tenant = rule.tenant();
		Stream<SandboxProperties> sandboxes = (tenant != null) ? Stream.of(this.sandbox.of(tenant)) : Stream
			.concat(Stream.of(this.sandbox), this.sandbox.tenants().keySet().stream().map(this.sandbox::of));
		if (sandboxes.noneMatch((properties) -> properties.network() == NetworkAccess.ALLOW_LIST
				&& properties.allowList().permits(rule))) {
			throw SecretProperties
				.invalid(prefix + "host", host, "commands" + ((tenant != null) ? " of the tenant '" + tenant + "'" : "")
						+ " do not reach " + rule.destination()
						+ ": set kairo.sandbox.network to allow-list, and add the host to kairo.sandbox.network-allow, "
						+ "on the workers if the sandbox is remote");
		}
	}

	/**
	 * Checks that commands do not find a secret in their environment.
	 */
	private void requireAbsenceFromEnvironment() {
		Set<String> revealing = CommandEnvironment.revealing(this.sandbox,
				PropertySecretSource.values(this.properties));
		if (!revealing.isEmpty()) {
			throw SecretProperties.invalid("rules", revealing,
					"commands would find a secret in these environment variables: remove them from "
							+ "kairo.sandbox.inherit-env and kairo.sandbox.env");
		}
	}

	private static @Nullable GitAccess git(SecretRuleProperties properties) {
		return (properties.git() != null) ? GitAccess.valueOf(properties.git().name()) : null;
	}

	private static <T> T step(String property, @Nullable Object value, Step<T> step) {
		try {
			return step.run();
		}
		catch (IllegalArgumentException ex) {
			throw SecretProperties.invalid(property, value, ex.getMessage());
		}
	}

	/**
	 * A step that may refuse a value.
	 *
	 * @param <T> the type of its result
	 */
	private interface Step<T> {

		T run();

	}

}

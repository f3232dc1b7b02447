package io.kairo.autoconfigure.sandbox;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a rule for requests of commands.
 *
 * @param host Host that requests are sent to over HTTPS, such as example.org or
 * example.org:8443. The allow-list has to contain it.
 * @param action Effect of the rule on matching requests.
 * @param tenant Id of the only tenant whose commands the rule applies to. By default, it
 * applies to all.
 * @param methods Methods in upper case. By default, GET and HEAD for inject, and all for
 * other actions.
 * @param path Prefix of the path, such as /team/; without a slash at its end, it stands
 * also for itself.
 * @param git Requests of Git that the rule applies to, instead of methods.
 * @param secret Name of the secret. Required for inject.
 * @param header Name of the header field with the secret.
 * @param value Value of the header field, in which {secret} stands for the secret.
 * @param username User name of basic authentication, with the secret as the password.
 * Replaces header and value.
 */
public record SecretRuleProperties(@Nullable String host, @DefaultValue("inject") Action action,
		@Nullable String tenant, @DefaultValue List<String> methods, @DefaultValue("/") String path, @Nullable Git git,
		@Nullable String secret, @DefaultValue("Authorization") String header,
		@DefaultValue("Bearer {secret}") String value, @Nullable String username) {

	/**
	 * Creates the properties.
	 * @param methods the methods, copied
	 */
	public SecretRuleProperties {
		methods = List.copyOf(methods);
	}

	/**
	 * Effect of a rule.
	 */
	public enum Action {

		/** The secret is added to the request. */
		INJECT,

		/** The request is forwarded without a secret. */
		FORWARD,

		/** The request is refused, and so are tunnels to the host. */
		DENY

	}

	/**
	 * Requests of Git over HTTP.
	 */
	public enum Git {

		/** Clone and fetch. */
		FETCH,

		/** Clone, fetch and push. */
		PUSH

	}

}

package io.kairo.autoconfigure.sandbox;

import java.util.List;
import java.util.regex.Pattern;

import io.kairo.boot.UnresolvedPlaceholder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for the HTTP proxy of the network through which commands reach
 * the hosts of an allow-list. It resolves their names, so that their addresses are not
 * checked.
 *
 * @param url Address of the proxy, such as http://proxy.corp.example:3128. By default,
 * hosts are connected to directly.
 * @param username User name at the proxy.
 * @param password Password at the proxy.
 * @param noProxy Hosts that are connected to directly: corp.example for itself and the
 * names below it, .corp.example for those below, addresses, and ranges of addresses such
 * as 10.0.0.0/8. Hosts of the loopback interface always are.
 */
public record UpstreamProxyProperties(@Nullable String url, @Nullable String username, @Nullable String password,
		@DefaultValue( {
		}) List<String> noProxy){

	static final String PREFIX = SandboxProperties.PREFIX + "upstream-proxy.";

	static final UpstreamProxyProperties NONE = new UpstreamProxyProperties(null, null, null, List.of());

	private static final Pattern URL = Pattern.compile("http://[^/@:]+:\\d{1,5}/?");

	/**
	 * Creates and validates the properties. No failure shows the password.
	 * @param noProxy the hosts that are connected to directly, copied
	 */
	public UpstreamProxyProperties {
		url = text(url);
		username = text(username);
		password = text(password);
		noProxy = List.copyOf(noProxy);
		UnresolvedPlaceholder.refuse(PREFIX + "username", username);
		String unresolved = (password != null) ? UnresolvedPlaceholder.variable(password) : null;
		if (unresolved != null) {
			// not the property itself, whose value is printed
			throw invalid("", "***",
					"the password refers to the variable " + unresolved + ", which does not exist: set it");
		}
		if (url != null && url.contains("@")) {
			throw invalid("", "***", "the url contains credentials: set username and password instead");
		}
		if (url != null && !URL.matcher(url).matches()) {
			throw invalid("url", url, "it must be http://, a name or an IPv4 address, a colon and a port, such as "
					+ "http://proxy.corp.example:3128; a proxy cannot be reached over TLS");
		}
		if (url == null && (username != null || password != null || !noProxy.isEmpty())) {
			throw invalid("", "***", "the url is missing, without which its other properties have no effect: set it, "
					+ "such as http://proxy.corp.example:3128");
		}
		if ((username == null) != (password == null)) {
			throw invalid("", "***",
					"the " + ((username == null) ? "username" : "password") + " is missing: set both or neither");
		}
	}

	private static @Nullable String text(@Nullable String value) {
		return (value != null && !value.isBlank()) ? value : null;
	}

	/**
	 * Returns the authority in the URL, null without one.
	 */
	@Nullable String authority() {
		return (this.url != null) ? this.url.substring("http://".length()).replace("/", "") : null;
	}

	static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			@Nullable String reason) {
		String property = (PREFIX + name).replaceAll("\\.$", "");
		return new InvalidConfigurationPropertyValueException(property, value, String.valueOf(reason));
	}

	@Override
	public String toString() {
		// not the credentials
		return "UpstreamProxyProperties[url=" + this.url + ", noProxy=" + this.noProxy + "]";
	}

}

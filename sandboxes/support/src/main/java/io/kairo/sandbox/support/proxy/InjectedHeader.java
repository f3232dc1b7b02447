package io.kairo.sandbox.support.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.Secret;
import org.jspecify.annotations.Nullable;

/**
 * A header field with a secret, added to a request by the proxy. Immutable. Contains the
 * name of the secret, not its value.
 */
public final class InjectedHeader {

	/** The header field for credentials, RFC 9110, section 11.6.2. */
	public static final String AUTHORIZATION = "Authorization";

	/** The part of a template that stands for the secret. */
	public static final String PLACEHOLDER = "{secret}";

	private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,63}");

	private static final Set<String> RESERVED = Set.of("host", "connection", "content-length", "content-type",
			"transfer-encoding", "te", "trailer", "upgrade", "expect", "keep-alive", "proxy-authorization",
			"proxy-connection", "accept-encoding");

	private final String secret;

	private final String name;

	private final String template;

	private final @Nullable String username;

	private InjectedHeader(String secret, String name, String template, @Nullable String username) {
		if (secret.isBlank()) {
			throw new IllegalArgumentException("The name of a secret is blank");
		}
		this.secret = secret;
		this.name = name;
		this.template = template;
		this.username = username;
	}

	/**
	 * Creates a field with a template.
	 * @param secret the name of the secret
	 * @param name the name of the field: letters, digits and hyphens
	 * @param template the value with one {@value #PLACEHOLDER}, such as {@code Bearer
	 * {secret}}
	 * @return the field
	 * @throws IllegalArgumentException if an argument is invalid, or the field describes
	 * the message rather than the caller, such as {@code Host}
	 */
	public static InjectedHeader of(String secret, String name, String template) {
		if (!NAME.matcher(name).matches() || RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
			throw new IllegalArgumentException("'" + name
					+ "' cannot have a secret: use a name of letters, digits and hyphens, such as Authorization or X-Api-Key");
		}
		int at = template.indexOf(PLACEHOLDER);
		if (at < 0 || at != template.lastIndexOf(PLACEHOLDER)
				|| !template.chars().allMatch((character) -> character >= ' ' && character <= '~')) {
			throw new IllegalArgumentException("'" + template + "' is no template: write " + PLACEHOLDER
					+ " once, among printable ASCII characters, such as Bearer " + PLACEHOLDER);
		}
		return new InjectedHeader(secret, name, template, null);
	}

	/**
	 * Creates a field {@code Authorization} for the scheme Basic (RFC 7617).
	 * @param secret the name of the secret, used as the password
	 * @param username the user name, printable ASCII characters without a colon
	 * @return the field
	 * @throws IllegalArgumentException if an argument is invalid
	 */
	public static InjectedHeader basic(String secret, String username) {
		if (username.isBlank() || username.indexOf(':') >= 0
				|| !username.chars().allMatch((character) -> character >= ' ' && character <= '~')) {
			throw new IllegalArgumentException("'" + username
					+ "' is no user name: it is blank, or has a colon or a character that is not printable ASCII");
		}
		return new InjectedHeader(secret, AUTHORIZATION, "Basic " + PLACEHOLDER, username);
	}

	/**
	 * Returns the name of the secret.
	 * @return the name
	 */
	public String secret() {
		return this.secret;
	}

	/**
	 * Returns the name of the field.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the credential in the value of the field.
	 */
	String credential(Secret value) {
		if (this.username == null) {
			return value.reveal();
		}
		return Base64.getEncoder()
			.encodeToString((this.username + ":" + value.reveal()).getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * Returns the value of the field.
	 */
	String value(Secret value) {
		return this.template.replace(PLACEHOLDER, credential(value));
	}

	/**
	 * Returns whether a server could take a field for this one.
	 */
	boolean isNamed(String other) {
		return canonical(other).equals(canonical(this.name));
	}

	/**
	 * Returns the name of a field as servers see it that do not distinguish hyphens from
	 * other characters, as CGI and its successors do.
	 */
	static String canonical(String field) {
		return field.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-");
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof InjectedHeader that && this.secret.equals(that.secret) && this.name.equals(that.name)
				&& this.template.equals(that.template) && Objects.equals(this.username, that.username);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.secret, this.name, this.template, this.username);
	}

	@Override
	public String toString() {
		return this.name + " with " + this.secret;
	}

}

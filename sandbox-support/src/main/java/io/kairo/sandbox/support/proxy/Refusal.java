package io.kairo.sandbox.support.proxy;

import java.util.Locale;

/**
 * The reason why a request was not forwarded, or not answered.
 */
enum Refusal {

	/** The request is not a proxy request, or is ambiguous. */
	BAD_REQUEST(400, "http_request_error", "the request to the proxy is malformed"),

	/** The host is neither a plain name nor a dotted decimal IPv4 address. */
	BAD_HOST(400, "http_request_error", "the host is not a plain name, or the port is invalid"),

	/** The head of the request is too long. */
	HEAD_TOO_LARGE(431, "http_request_error", "the head of the request is too long"),

	/** The head of the request did not arrive in time. */
	HEAD_TIMEOUT(408, "http_request_error", "the request did not arrive in time"),

	/** The request has a body of unknown length. */
	LENGTH_REQUIRED(411, "http_request_error", "plain HTTP through the proxy needs a Content-Length; use HTTPS"),

	/** The allow-list does not contain the host with that port. */
	NOT_LISTED(403, "http_request_denied", "the host and port are not on the list of allowed hosts"),

	/** The name resolves to an address that is not public. */
	FORBIDDEN_ADDRESS(403, "destination_ip_prohibited", "the host has an address that is not public"),

	/** The name cannot be resolved. */
	UNKNOWN_HOST(502, "dns_error", "the name of the host cannot be resolved"),

	/** The host refuses the connection. */
	UNREACHABLE(502, "connection_refused", "the host refuses the connection"),

	/** The host does not answer in time. */
	CONNECT_TIMEOUT(504, "connection_timeout", "the host does not answer");

	private final int status;

	private final String proxyStatus;

	private final String text;

	Refusal(int status, String proxyStatus, String text) {
		this.status = status;
		this.proxyStatus = proxyStatus;
		this.text = text;
	}

	int status() {
		return this.status;
	}

	/**
	 * Returns the error type of RFC 9209, section 2.3.
	 */
	String proxyStatus() {
		return this.proxyStatus;
	}

	String text() {
		return this.text;
	}

	String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}

package io.kairo.sandbox.support.proxy;

import java.util.Locale;

/**
 * Why a request is not answered by its host.
 */
enum Refusal {

	/** The request is no request to a proxy, or two parsers could read it in two ways. */
	BAD_REQUEST(400, "http_request_error", "the request to the proxy is malformed"),

	/** The host is no plain name, and no IPv4 address as everybody writes it. */
	BAD_HOST(400, "http_request_error", "the host is no plain name, or the port is none"),

	/** The head of the request is too long. */
	HEAD_TOO_LARGE(431, "http_request_error", "the head of the request is too long"),

	/** The head of the request did not come in time. */
	HEAD_TIMEOUT(408, "http_request_error", "the request did not come in time"),

	/** The length of the body is not known beforehand. */
	LENGTH_REQUIRED(411, "http_request_error", "plain HTTP through the proxy needs a Content-Length; use HTTPS"),

	/** The list does not name the host with that port. */
	NOT_LISTED(403, "http_request_denied", "the host and port are not on the list of allowed hosts"),

	/** The name leads to an address that is not that of a public host. */
	FORBIDDEN_ADDRESS(403, "destination_ip_prohibited", "the host has an address that is not public"),

	/** There is no host of that name. */
	UNKNOWN_HOST(502, "dns_error", "there is no host of that name"),

	/** The host does not take a connection. */
	UNREACHABLE(502, "connection_refused", "the host does not take a connection"),

	/** The host does not answer. */
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
	 * Returns the error as RFC 9209, section 2.3, calls it.
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

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

	/** A rule refuses the method or the path. */
	DENIED_BY_RULE(403, "http_request_denied",
			"a rule of the network refuses this method or path on this host; trying again will not help"),

	/** A tunnel to a host with rules that refuse requests. */
	TUNNEL_DENIED(403, "http_request_denied",
			"this host has rules, which an encrypted tunnel would bypass: use http:// instead of https:// in the URL, "
					+ "and the proxy encrypts the request"),

	/** Rules cannot be compared with the path. */
	AMBIGUOUS_PATH(400, "http_request_error",
			"this host has rules, for which the path is ambiguous: write it without '//', '.', '..', ';', backslashes and "
					+ "their encodings, or an encoded slash"),

	/** The secret of a rule is not available. */
	SECRET_UNAVAILABLE(502, "proxy_internal_error",
			"the credential for this request is not available, so it was not sent; the application has to correct that"),

	/** The name resolves to an address that is not public. */
	FORBIDDEN_ADDRESS(403, "destination_ip_prohibited", "the host has an address that is not public"),

	/** The upstream proxy does not answer, or not as a proxy. */
	UPSTREAM_UNAVAILABLE(502, "destination_unavailable",
			"the proxy of this network does not answer; the application has to correct that"),

	/** The upstream proxy refuses the request. */
	UPSTREAM_REFUSED(502, "http_request_denied", "the proxy of this network does not forward the request"),

	/** The name cannot be resolved. */
	UNKNOWN_HOST(502, "dns_error", "the name of the host cannot be resolved"),

	/** The host refuses the connection. */
	UNREACHABLE(502, "connection_refused", "the host refuses the connection"),

	/** A TLS connection to the host cannot be established. */
	TLS_FAILED(502, "tls_certificate_error",
			"no secure connection to the host: its certificate is not valid, or it does not speak TLS"),

	/** The response of the host cannot be forwarded. */
	BAD_RESPONSE(502, "http_protocol_error", "the response of the host is malformed, or its head is too long"),

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

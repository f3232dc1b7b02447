package io.kairo.sandbox.support.proxy;

import java.util.Objects;

/**
 * A part of Git's protocol over HTTP ("smart HTTP", see gitprotocol-http(5)), as the
 * condition of a {@link RequestRule}.
 */
public enum GitAccess {

	/** Requests of clone and fetch. */
	FETCH,

	/** Requests of clone, fetch and push. */
	PUSH;

	boolean includes(String method, RequestPath path) {
		return isOf("upload-pack", method, path) || (this == PUSH && isOf("receive-pack", method, path));
	}

	private static boolean isOf(String service, String method, RequestPath path) {
		String query = path.query();
		return method.equals("GET")
				? path.path().endsWith("/info/refs") && Objects.equals(query, "service=git-" + service)
				: method.equals("POST") && path.path().endsWith("/git-" + service) && query == null;
	}

}

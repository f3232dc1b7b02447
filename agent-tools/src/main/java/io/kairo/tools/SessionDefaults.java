package io.kairo.tools;

import org.jspecify.annotations.Nullable;

/**
 * The defaults of all sessions of an application. Immutable.
 *
 * @param hint the hint of the workspace of sessions that request none, null for the
 * default of the provider
 * @param writable whether files may be changed; a session may still request a read-only
 * workspace
 */
public record SessionDefaults(@Nullable String hint, boolean writable) {

	/**
	 * The provider's default workspace. It is writable.
	 */
	public static final SessionDefaults NONE = new SessionDefaults(null, true);

	/**
	 * Creates the value.
	 */
	public SessionDefaults {
		hint = (hint != null && hint.isBlank()) ? null : hint;
	}

	/**
	 * Completes a request.
	 */
	SessionRequest apply(SessionRequest request) {
		return new SessionRequest(request.tenant(), request.sessionId(),
				(request.hint() != null) ? request.hint() : this.hint, this.writable && request.writable(),
				request.child());
	}

}

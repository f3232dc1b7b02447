package io.kairo.tools;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The completeness of a result compared to the request. Immutable.
 *
 * @param complete whether nothing was left out
 * @param reason the reason why something was left out, with the amount; null if complete
 * @param next the arguments for continuing with the same tool, null if complete or if
 * there is no such call
 */
public record Completeness(boolean complete, @Nullable String reason, @Nullable Map<String, Object> next) {

	/**
	 * Nothing was left out.
	 */
	public static final Completeness COMPLETE = new Completeness(true, null, null);

	/**
	 * Creates the value of a result that is not complete.
	 * @param reason the reason why something was left out, with the amount
	 * @param next the arguments for continuing with the same tool, may be null
	 * @return the value
	 */
	public static Completeness partial(String reason, @Nullable Map<String, Object> next) {
		return new Completeness(false, reason, (next != null) ? Map.copyOf(next) : null);
	}

}

package io.kairo.workspace.routing;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * The number of open workspaces of each tenant, and its limit. Guarded by its
 * {@link LeaseTable}.
 */
final class OpenCounts {

	private final ToIntFunction<String> maximum;

	private final Map<String, Integer> counts = new HashMap<>();

	/**
	 * Creates an empty instance.
	 * @param maximum maximum number of open workspaces of a tenant, by its id
	 */
	OpenCounts(ToIntFunction<String> maximum) {
		this.maximum = maximum;
	}

	void add(String tenantId) {
		this.counts.merge(tenantId, 1, Integer::sum);
	}

	void remove(String tenantId) {
		this.counts.computeIfPresent(tenantId, (tenant, count) -> (count > 1) ? count - 1 : null);
	}

	/**
	 * Returns the reason for which a tenant may not open another workspace, null if it
	 * may. If the maximum cannot be determined, it counts as reached.
	 */
	@Nullable RuntimeException refusal(String tenantId) {
		int open = this.counts.getOrDefault(tenantId, 0);
		if (open == 0) {
			return null;
		}
		try {
			int most = this.maximum.applyAsInt(tenantId);
			return (open >= most) ? new TooManyWorkspacesException(most) : null;
		}
		catch (RuntimeException ex) {
			return ex;
		}
	}

	Map<String, Integer> copy() {
		return Map.copyOf(this.counts);
	}

}

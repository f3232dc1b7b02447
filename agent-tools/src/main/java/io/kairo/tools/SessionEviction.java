package io.kairo.tools;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the session that ends where there are too many: the one that is idle for
 * longest, among those of the tenants with the most. Nobody loses one to a tenant that
 * has more.
 */
final class SessionEviction {

	private SessionEviction() {
	}

	/**
	 * Returns the session to end.
	 * @param sessions all of them, in the order of the last use
	 * @param tenantId who needs room
	 * @return its key, null if every session that may end is in use
	 */
	static @Nullable SessionKey choose(Map<SessionKey, KeptSession> sessions, String tenantId) {
		Map<String, Integer> counts = new HashMap<>();
		sessions.keySet().forEach((key) -> counts.merge(key.tenantId(), 1, Integer::sum));
		int least = counts.getOrDefault(tenantId, 0);
		int most = Collections.max(counts.values());
		SessionKey chosen = null;
		int largest = 0;
		for (Map.Entry<SessionKey, KeptSession> candidate : sessions.entrySet()) {
			int count = counts.getOrDefault(candidate.getKey().tenantId(), 0);
			if (!candidate.getValue().isUsed() && count >= least && count > largest) {
				chosen = candidate.getKey();
				largest = count;
				if (count == most) {
					break;
				}
			}
		}
		return chosen;
	}

}

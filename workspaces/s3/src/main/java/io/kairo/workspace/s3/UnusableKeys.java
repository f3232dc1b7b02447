package io.kairo.workspace.s3;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys that are not part of a workspace, up to a bound. Safe for use by several
 * threads.
 */
final class UnusableKeys {

	private static final int MAX = 1000;

	private final Set<UnusableKey> keys = new LinkedHashSet<>();

	synchronized void add(UnusableKey key) {
		if (this.keys.size() < MAX) {
			this.keys.add(key);
		}
	}

	synchronized List<UnusableKey> list() {
		return List.copyOf(this.keys);
	}

}

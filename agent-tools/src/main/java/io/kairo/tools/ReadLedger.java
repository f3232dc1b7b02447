package io.kairo.tools;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in which version a session has seen a file. Keeps the latest
 * {@value #MAX_ENTRIES} files. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class ReadLedger {

	private static final int MAX_ENTRIES = 4096;

	private final Map<WorkspacePath, String> versions = new LinkedHashMap<>(16, 0.75f, true);

	ReadLedger() {
	}

	/**
	 * Remembers a version.
	 * @param path which file
	 * @param version the version that was read or written
	 */
	public void record(WorkspacePath path, String version) {
		synchronized (this.versions) {
			this.versions.put(path, version);
			if (this.versions.size() > MAX_ENTRIES) {
				this.versions.remove(this.versions.keySet().iterator().next());
			}
		}
	}

	/**
	 * Returns the version seen last.
	 * @param path which file
	 * @return the version, null if the file was not seen
	 */
	public @Nullable String version(WorkspacePath path) {
		synchronized (this.versions) {
			return this.versions.get(path);
		}
	}

}

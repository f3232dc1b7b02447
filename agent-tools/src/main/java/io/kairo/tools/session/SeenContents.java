package io.kairo.tools.session;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * The contents of files that sessions have seen, up to a total size. Beyond it, the
 * tenant with the most bytes loses the content that it has not used for the longest time,
 * so that a tenant with many sessions takes nothing from the others. Safe for use by
 * several threads.
 */
public final class SeenContents {

	private final long maximum;

	/** By tenant, without tenants that have none; guarded by itself. */
	private final Map<String, Share> shares = new HashMap<>();

	/** Guarded by {@link #shares}. */
	private long total;

	/**
	 * Creates an empty store.
	 * @param maximum maximum number of bytes
	 */
	public SeenContents(long maximum) {
		this.maximum = maximum;
	}

	/**
	 * Creates an empty store for the sessions of an application: a thirty-second of the
	 * heap, at least 4 MiB.
	 * @return the store
	 */
	public static SeenContents ofHeap() {
		return new SeenContents(Math.max(4 << 20, Runtime.getRuntime().maxMemory() / 32));
	}

	/**
	 * Keeps a content in place of an earlier one.
	 * @param key identifies the content
	 * @param seen the content, not copied
	 */
	public void put(Key key, Seen seen) {
		synchronized (this.shares) {
			remove(key);
			Share share = this.shares.computeIfAbsent(key.tenant(), (tenant) -> new Share());
			share.contents.put(key, seen);
			share.bytes += seen.content().length;
			this.total += seen.content().length;
			while (this.total > this.maximum) {
				Share largest = this.shares.values()
					.stream()
					.max(Comparator.comparingLong((each) -> each.bytes))
					.orElseThrow();
				remove(largest.contents.keySet().iterator().next());
			}
		}
	}

	/**
	 * Returns a content.
	 * @param key identifies the content
	 * @return the content, not copied; null if it is not kept any more
	 */
	public @Nullable Seen get(Key key) {
		synchronized (this.shares) {
			Share share = this.shares.get(key.tenant());
			return (share != null) ? share.contents.get(key) : null;
		}
	}

	/**
	 * Forgets a content, if it is kept.
	 * @param key identifies the content
	 */
	public void remove(Key key) {
		synchronized (this.shares) {
			Share share = this.shares.get(key.tenant());
			Seen removed = (share != null) ? share.contents.remove(key) : null;
			if (share == null || removed == null) {
				return;
			}
			share.bytes -= removed.content().length;
			this.total -= removed.content().length;
			if (share.contents.isEmpty()) {
				this.shares.remove(key.tenant());
			}
		}
	}

	/**
	 * Returns the size of all contents.
	 * @return the size in bytes
	 */
	public long bytes() {
		synchronized (this.shares) {
			return this.total;
		}
	}

	/**
	 * Identifies a content.
	 *
	 * @param tenant the id of the tenant
	 * @param session identifies the session, without a reference to it
	 * @param path the identity of the file
	 */
	public record Key(String tenant, Object session, WorkspacePath path) {

	}

	/**
	 * A content.
	 *
	 * @param version the version that it was read from
	 * @param content all bytes of the file
	 */
	public record Seen(String version, byte[] content) {

	}

	/**
	 * The contents of a tenant, in the order of the last use.
	 */
	private static final class Share {

		private final Map<Key, Seen> contents = new LinkedHashMap<>(16, 0.75f, true);

		private long bytes;

	}

}

package io.kairo.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.session.EquivalentPaths;
import io.kairo.tools.session.SeenContents;
import org.jspecify.annotations.Nullable;

/**
 * The versions of files that a session has seen, and the content of small ones, so that
 * later changes can be shown. Keeps the latest 4,096 files, and the content of those seen
 * last, up to 64 KiB each and, for all sessions together, a thirty-second of the heap.
 * Callers give the {@linkplain #known(WorkspacePath, WorkspaceFiles) known} path of a
 * file. Safe for use by several threads.
 */
public final class ReadLedger {

	/**
	 * Maximum size, in bytes, of a file whose content is kept.
	 */
	public static final int MAX_CONTENT = 64 << 10;

	private static final int MAX_ENTRIES = 4096;

	private final Map<WorkspacePath, String> versions = new LinkedHashMap<>(16, 0.75f, true);

	private final EquivalentPaths equivalents = new EquivalentPaths();

	private final String tenant;

	private final SeenContents contents;

	/** Identifies this ledger among the contents, without being kept alive by them. */
	private final Object id = new Object();

	/**
	 * Creates an empty ledger.
	 * @param tenant the id of the tenant
	 * @param contents the contents that all sessions have seen
	 */
	ReadLedger(String tenant, SeenContents contents) {
		this.tenant = tenant;
		this.contents = contents;
	}

	/**
	 * Returns the known path of a file.
	 * @param path the file
	 * @param files the files of the workspace
	 * @return the path in the spelling that was recorded, or as it is if the file is not
	 * known
	 */
	public WorkspacePath known(WorkspacePath path, WorkspaceFiles files) {
		synchronized (this.versions) {
			return this.versions.containsKey(path) ? path : this.equivalents.known(path, files);
		}
	}

	/**
	 * Remembers a version.
	 * @param path the known path of the file
	 * @param version the version that was read or written
	 */
	public void record(WorkspacePath path, String version) {
		synchronized (this.versions) {
			if (this.versions.put(path, version) == null) {
				this.equivalents.add(path);
			}
			this.contents.remove(key(path));
			if (this.versions.size() > MAX_ENTRIES) {
				WorkspacePath eldest = this.versions.keySet().iterator().next();
				this.versions.remove(eldest);
				this.equivalents.remove(eldest);
				this.contents.remove(key(eldest));
			}
		}
	}

	/**
	 * Remembers a version and its content.
	 * @param path the known path of the file
	 * @param version the version that was read or written
	 * @param content all bytes of the file; not copied, and not kept if longer than
	 * {@link #MAX_CONTENT}
	 */
	public void record(WorkspacePath path, String version, byte[] content) {
		synchronized (this.versions) {
			record(path, version);
			if (content.length <= MAX_CONTENT) {
				this.contents.put(key(path), new SeenContents.Seen(version, content));
			}
		}
	}

	/**
	 * Returns the version seen last.
	 * @param path the known path of the file
	 * @return the version, null if the file was not seen
	 */
	public @Nullable String version(WorkspacePath path) {
		synchronized (this.versions) {
			return this.versions.get(path);
		}
	}

	/**
	 * Returns the content of a version.
	 * @param path the known path of the file
	 * @param version the version
	 * @return the bytes, null if they are not remembered
	 */
	public byte @Nullable [] content(WorkspacePath path, String version) {
		synchronized (this.versions) {
			SeenContents.Seen seen = this.contents.get(key(path));
			return (seen != null && seen.version().equals(version)) ? seen.content() : null;
		}
	}

	/**
	 * Lets another ledger remember everything that this one does.
	 */
	void copyTo(ReadLedger other) {
		synchronized (this.versions) {
			this.versions.forEach((path, version) -> {
				byte[] content = content(path, version);
				if (content != null) {
					other.record(path, version, content);
				}
				else {
					other.record(path, version);
				}
			});
		}
	}

	/**
	 * Remembers the files at and below a path under another path as well, in place of the
	 * files that were known there.
	 * @param from their known path
	 * @param to the other path
	 */
	public void copy(WorkspacePath from, WorkspacePath to) {
		synchronized (this.versions) {
			forget(to);
			for (Map.Entry<WorkspacePath, String> known : List.copyOf(this.versions.entrySet())) {
				WorkspacePath path = known.getKey();
				if (path.startsWith(from)) {
					byte[] content = content(path, known.getValue());
					WorkspacePath other = moved(path, from, to);
					record(other, known.getValue());
					if (content != null) {
						this.contents.put(key(other), new SeenContents.Seen(known.getValue(), content));
					}
				}
			}
		}
	}

	/**
	 * Forgets the files at and below a path.
	 * @param gone the path
	 */
	void forget(WorkspacePath gone) {
		synchronized (this.versions) {
			this.versions.keySet().removeIf((path) -> {
				boolean forgotten = path.startsWith(gone);
				if (forgotten) {
					this.equivalents.remove(path);
					this.contents.remove(key(path));
				}
				return forgotten;
			});
		}
	}

	static WorkspacePath moved(WorkspacePath path, WorkspacePath from, WorkspacePath to) {
		return new WorkspacePath(to.root(), to.relative() + path.relative().substring(from.relative().length()));
	}

	private SeenContents.Key key(WorkspacePath path) {
		return new SeenContents.Key(this.tenant, this.id, path);
	}

}

package io.kairo.sandbox.support.copy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.kairo.api.workspace.FileType;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a directory of this machine elsewhere, and the entries of the directory at
 * the time of the copy. A protected path is copied as a file or directory of root without
 * write permissions, a hidden directory as an empty one. Named pipes, sockets, devices
 * and names that are not UTF-8 are not copied. For use by one thread.
 */
public final class RootCopy {

	private final Root root;

	private final Map<Path, MountPlan.Kind> kept = new HashMap<>();

	private final Set<Path> above = new HashSet<>();

	private final Map<Path, CopiedEntry> entries = new HashMap<>();

	/**
	 * Creates the copy of a directory. Does not access the disk.
	 * @param root the directory
	 * @param roots the directories of the command, possibly inside of each other
	 * @param plan the mounts of all of them, the protected paths and the hidden
	 * directories
	 */
	public RootCopy(Root root, Roots roots, MountPlan plan) {
		this.root = root;
		for (MountPlan.Entry entry : plan.entries()) {
			boolean isRoot = roots.targets().contains(entry.target());
			if (entry.target().startsWith(root.target()) && !entry.target().equals(root.target())
					&& (isRoot || entry.kind().compareTo(MountPlan.Kind.READ_ONLY) >= 0)) {
				keep(root.target().relativize(entry.target()), isRoot ? MountPlan.Kind.HIDDEN : entry.kind());
			}
		}
	}

	private void keep(Path relative, MountPlan.Kind kind) {
		this.kept.put(relative, kind);
		for (Path parent = relative.getParent(); parent != null; parent = parent.getParent()) {
			this.above.add(parent);
		}
	}

	/**
	 * Returns the directory.
	 * @return the directory
	 */
	public Root root() {
		return this.root;
	}

	/**
	 * Returns the entry at a path at the time of the copy.
	 * @param relative a path relative to the root
	 * @return null if there was nothing, or nothing that the command may change
	 */
	public @Nullable CopiedEntry entry(Path relative) {
		return this.entries.get(relative);
	}

	/**
	 * Returns everything that the command may change.
	 * @return the paths relative to the root
	 */
	public Set<Path> paths() {
		return this.entries.keySet();
	}

	/**
	 * Returns whether a path stays as it is, because it is protected or hidden, or is in
	 * such a directory or in another root.
	 * @param relative a path relative to the root
	 * @return whether it stays as it is
	 */
	public boolean isKept(Path relative) {
		return kind(relative) != null;
	}

	/**
	 * Returns whether a path names a directory with something in it that stays as it is.
	 */
	boolean isAboveKept(Path relative) {
		return this.above.contains(relative);
	}

	private MountPlan.@Nullable Kind kind(Path relative) {
		for (Path each = relative; each != null; each = each.getParent()) {
			MountPlan.Kind kind = this.kept.get(each);
			if (kind != null) {
				return kind;
			}
		}
		return null;
	}

	/**
	 * Returns the path on this machine.
	 * @param relative a path relative to the root
	 * @return the path in the root
	 */
	public Path source(Path relative) {
		return relative.toString().isEmpty() ? this.root.source() : this.root.source().resolve(relative);
	}

	/**
	 * Copies the directory.
	 * @param sink takes everything in it, but not the directory itself
	 * @param bound the bound on the copied entries
	 * @throws IOException if a file cannot be read, the sink fails, or there is too much
	 */
	public void copy(Sink sink, CopyBound bound) throws IOException {
		CopyWalk.walk(this.root.source(), new CopyWalk.Visitor() {

			@Override
			public boolean visit(Path relative, CopiedEntry entry, Path path) throws IOException {
				return copy(relative, entry, path, sink, bound);
			}

			@Override
			public void vanished(Path relative) {
				RootCopy.this.entries.remove(relative);
			}

		});
	}

	/**
	 * Copies an entry.
	 * @return whether it is a directory whose content has to be copied as well
	 */
	private boolean copy(Path relative, CopiedEntry found, Path path, Sink sink, CopyBound bound) throws IOException {
		MountPlan.Kind kind = kind(relative);
		String link = (found.type() == FileType.LINK) ? new String(found.content(), StandardCharsets.UTF_8) : "";
		String name = relative.toString();
		if (found.type() == FileType.OTHER || !CopyWalk.isReadable(name) || !CopyWalk.isReadable(link)) {
			return false;
		}
		bound.add((found.type() == FileType.FILE) ? found.size() : 0,
				this.root.target().toString().length() + name.length() + link.length());
		CopiedEntry copied = (kind == MountPlan.Kind.HIDDEN) ? found.withoutContent() : found;
		byte[] hash = sink.add(relative, (kind != null) ? copied.sealed() : copied, kind != null, path);
		if (kind == null) {
			this.entries.put(relative, (found.type() == FileType.FILE) ? found.withContent(hash) : found);
		}
		return kind != MountPlan.Kind.HIDDEN;
	}

	/**
	 * Takes the copied entries.
	 */
	public interface Sink {

		/**
		 * Takes an entry. A directory comes before everything in it.
		 * @param relative its path relative to the root
		 * @param entry the entry, with the permissions and the owner of its copy
		 * @param sealed whether the command may not change it
		 * @param path a path to open it, valid during this call
		 * @return the SHA-256 of as many bytes of a file as its entry says; ignored for
		 * others
		 * @throws IOException if it cannot be read or copied
		 */
		byte[] add(Path relative, CopiedEntry entry, boolean sealed, Path path) throws IOException;

	}

}

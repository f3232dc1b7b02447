package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.TrialOverlays.Overlay;
import io.kairo.host.HostUser;

/**
 * The overlay of a root in a trial. Files that were not changed in it are those of the
 * root, also if others change them meanwhile.
 *
 * @param mounted the overlay
 * @param upper the directory that receives its changes, in the format of overlayfs;
 * commands find it nowhere
 */
record TrialOverlay(Overlay mounted, Path upper) {

	private static final Logger logger = System.getLogger(TrialOverlay.class.getName());

	/** The attribute of a directory that hides what is in the one below. */
	private static final String OPAQUE = "overlay.opaque";

	private static final String FACTS = "unix:uid,mode,dev";

	private static final int OWNER_READS = 0400;

	/**
	 * Returns whether an overlay shows the same as a copy would have: there are only
	 * files, directories and links of this user, who can read them, on the file system of
	 * its changes, so that these keep the identities of files.
	 * @param directory the directory
	 * @param layer the directory of the changes
	 */
	static boolean isPossible(Path directory, Path layer) {
		HostUser user = HostUser.current();
		if (user == null || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		try {
			Files.walkFileTree(directory, new Examination(user.uid(), facts(layer)));
			return true;
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A trial needs a copy", ex);
			return false;
		}
	}

	private static Map<String, Object> facts(Path path) throws IOException {
		return Files.readAttributes(path, FACTS, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Returns whether an entry was changed in the overlay, or one above it was. Others
	 * may have changed what it shows otherwise.
	 * @param relative its path in the root
	 */
	boolean isChanged(Path relative) {
		boolean opaque = false;
		Path entry = this.upper;
		try {
			for (Path name : relative) {
				entry = entry.resolve(name);
				if (!Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isDirectory()) {
					return true;
				}
				opaque |= Files
					.getFileAttributeView(entry, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
					.list()
					.contains(OPAQUE);
			}
			return true;
		}
		catch (NoSuchFileException ex) {
			return opaque;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Looks for an entry that an overlay cannot show as a copy does.
	 */
	private static final class Examination extends SimpleFileVisitor<Path> {

		private final Object user;

		private final Map<String, Object> layer;

		Examination(Object user, Map<String, Object> layer) {
			this.user = user;
			this.layer = layer;
		}

		@Override
		public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
			return visitFile(directory, attributes);
		}

		@Override
		public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
			Map<String, Object> facts = facts(path);
			boolean readable = attributes.isSymbolicLink()
					|| ((Integer) facts.getOrDefault("mode", 0) & OWNER_READS) != 0;
			if (attributes.isOther() || !readable || !this.user.equals(facts.get("uid"))
					|| !Objects.equals(this.layer.get("dev"), facts.get("dev"))) {
				throw new FileSystemException(path.toString(), null, "an overlay would not show it as a copy does");
			}
			return FileVisitResult.CONTINUE;
		}

	}

}

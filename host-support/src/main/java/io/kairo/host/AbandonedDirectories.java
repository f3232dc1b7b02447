package io.kairo.host;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The sweep of private directories that JVMs left behind because they were killed.
 */
final class AbandonedDirectories {

	private static final Logger logger = System.getLogger(AbandonedDirectories.class.getName());

	/** Three numbers of an identity; earlier versions wrote two. */
	private static final Pattern NAME = Pattern.compile("(\\d{1,18}-){2,3}[\\w-]+");

	private AbandonedDirectories() {
	}

	/**
	 * Removes the abandoned directories beside another one that have the same owner. No
	 * other user can have put anything into them, such as a link to another place.
	 * @param own the directory of this process
	 * @param prefix the beginning of the names
	 */
	static void removeBeside(Path own, String prefix) {
		try (DirectoryStream<Path> siblings = Files.newDirectoryStream(own.resolveSibling("."),
				(sibling) -> nameAfter(prefix, sibling) != null)) {
			Object user = Files.getOwner(own);
			for (Path sibling : siblings) {
				if (Files.isDirectory(sibling, LinkOption.NOFOLLOW_LINKS)
						&& user.equals(Files.getOwner(sibling, LinkOption.NOFOLLOW_LINKS))) {
					removeIfAbandoned(sibling, ProcessIdentity.ofName(String.valueOf(nameAfter(prefix, sibling))));
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "Cannot look for abandoned private directories", ex);
		}
	}

	private static @Nullable String nameAfter(String prefix, Path directory) {
		String name = directory.getFileName().toString();
		return name.startsWith(prefix) && NAME.matcher(name.substring(prefix.length())).matches()
				? name.substring(prefix.length()) : null;
	}

	/**
	 * Removes a directory whose claim is not locked. The identity of the owner decides
	 * where there is no claim, and keeps the directory of a running JVM that has lost its
	 * lock.
	 */
	private static void removeIfAbandoned(Path directory, @Nullable ProcessIdentity owner) {
		if (owner != null && owner.isRunning()) {
			return;
		}
		Path file = directory.resolve(PrivateDirectory.CLAIM);
		try {
			if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
				try (Claim abandoned = Claim.takeOver(file)) {
					if (abandoned != null) {
						TreeDeletion.delete(directory);
					}
				}
			}
			else if (owner != null && owner.hasEnded()) {
				TreeDeletion.delete(directory);
			}
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "Cannot remove an abandoned private directory", ex);
		}
	}

}

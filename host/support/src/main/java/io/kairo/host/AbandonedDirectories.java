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

	/** The random part of the names of private directories. */
	private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{32}");

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
				(sibling) -> sibling.getFileName().toString().startsWith(prefix))) {
			Object user = Files.getOwner(own);
			for (Path sibling : siblings) {
				if (Files.isDirectory(sibling, LinkOption.NOFOLLOW_LINKS)
						&& user.equals(Files.getOwner(sibling, LinkOption.NOFOLLOW_LINKS))) {
					ProcessIdentity owner = owner(sibling, prefix);
					if (owner == null) {
						removeIfEmpty(sibling, prefix);
					}
					else if (!owner.isRunning()) {
						removeIfAbandoned(sibling, owner);
					}
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "Cannot look for abandoned private directories", ex);
		}
	}

	/**
	 * Returns the process whose identity is in the name of a file in a directory, or in
	 * the name of the directory itself: a new one, or one of an earlier version.
	 */
	private static @Nullable ProcessIdentity owner(Path directory, String prefix) {
		String[] names = directory.toFile().list((parent, name) -> name.endsWith(PrivateDirectory.OWNER));
		return ProcessIdentity.ofName((names != null && names.length == 1) ? names[0]
				: directory.getFileName().toString().substring(prefix.length()));
	}

	/**
	 * Removes a directory whose deletion was interrupted after its last file, the
	 * identity of its owner.
	 */
	private static void removeIfEmpty(Path directory, String prefix) {
		if (RANDOM.matcher(directory.getFileName().toString().substring(prefix.length())).matches()) {
			try {
				Files.deleteIfExists(directory);
			}
			catch (IOException ex) {
				logger.log(Level.DEBUG, "Cannot remove a private directory: only abandoned ones are empty", ex);
			}
		}
	}

	/**
	 * Removes the directory of a process that is not known to run, if its claim is not
	 * locked. Where there is no claim, the process must have ended.
	 */
	private static void removeIfAbandoned(Path directory, ProcessIdentity owner) {
		Path file = directory.resolve(PrivateDirectory.CLAIM);
		try {
			if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
				try (Claim abandoned = Claim.takeOver(file)) {
					if (abandoned != null) {
						PrivateDirectory.delete(directory);
					}
				}
			}
			else if (owner.hasEnded()) {
				PrivateDirectory.delete(directory);
			}
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "Cannot remove an abandoned private directory", ex);
		}
	}

}

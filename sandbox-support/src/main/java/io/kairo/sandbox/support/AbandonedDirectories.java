package io.kairo.sandbox.support;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The private directories of JVMs that were killed.
 */
final class AbandonedDirectories {

	private static final Logger logger = System.getLogger(AbandonedDirectories.class.getName());

	private AbandonedDirectories() {
	}

	/**
	 * Removes those beside a directory that have the same owner: nobody else can put
	 * anything into them, such as a link to somewhere else.
	 */
	static void removeBeside(Path own) {
		try (DirectoryStream<Path> directories = Files.newDirectoryStream(own.resolveSibling("."), "kairo-*")) {
			Object owner = Files.getOwner(own);
			for (Path directory : directories) {
				JvmIdentity jvm = JvmIdentity.ofDirectory(directory);
				if (jvm != null && jvm.isDead() && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
						&& owner.equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS))) {
					Files.walkFileTree(directory, new TreeDeletion());
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "Private directories that were left behind could not be removed", ex);
		}
	}

}

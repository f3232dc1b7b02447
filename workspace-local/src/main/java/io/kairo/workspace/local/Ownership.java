package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/**
 * Hands the owner, the group and the permissions of one file on to another.
 */
final class Ownership {

	private Ownership() {
	}

	/**
	 * Gives a new file to the owner of another one. Nobody but the superuser may, and
	 * then it is nothing that has failed.
	 */
	static void give(PosixFileAttributeView view, PosixFileAttributes like) throws IOException {
		if (!view.readAttributes().owner().equals(like.owner())) {
			try {
				view.setOwner(like.owner());
				view.setGroup(like.group());
			}
			catch (IOException ex) {
				// It stays with whoever made it.
			}
		}
	}

	static void assume(PosixFileAttributeView view, PosixFileAttributes like) throws IOException {
		PosixFileAttributes own = view.readAttributes();
		try {
			if (!own.group().equals(like.group())) {
				view.setGroup(like.group());
			}
			if (!own.owner().equals(like.owner())) {
				view.setOwner(like.owner());
			}
		}
		catch (IOException ex) {
			// Only the superuser may give files away.
		}
		if (!own.permissions().equals(like.permissions())) {
			view.setPermissions(like.permissions());
		}
	}

}

package io.kairo.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A user of this machine, by the numbers of user and group. An application that runs as
 * root gives this user the files that it creates. Immutable.
 *
 * @param uid the user ID, at least 0
 * @param gid the group ID, at least 0
 */
public record HostUser(int uid, int gid) {

	private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?");

	private static final Path USERS = Path.of("/etc/passwd");

	private static final Set<PosixFilePermission> PASS = Set.of(PosixFilePermission.GROUP_EXECUTE,
			PosixFilePermission.OTHERS_EXECUTE);

	private static final int ENTER = 1;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if one of them is negative
	 */
	public HostUser {
		if (uid < 0 || gid < 0) {
			throw new IllegalArgumentException(uid + ":" + gid + " is not a user: IDs must not be negative");
		}
	}

	/**
	 * Returns the user of this process.
	 * @return the user, or null on a system without {@code /proc}
	 */
	public static @Nullable HostUser current() {
		try {
			Map<String, Object> own = Files.readAttributes(Path.of("/proc/self"), "unix:uid,gid");
			return new HostUser((Integer) own.getOrDefault("uid", 0), (Integer) own.getOrDefault("gid", 0));
		}
		catch (IOException | UnsupportedOperationException | IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Returns the home directory of the user of this process.
	 * @return an absolute path, whether it exists or not; null for a user without an
	 * entry in the list of users, for whom the JVM reports {@code ?}
	 */
	public static @Nullable Path home() {
		Path home = Path.of(System.getProperty("user.home", ""));
		return home.isAbsolute() ? home : null;
	}

	/**
	 * Returns a directory beside the temporary files, with the name of the user of this
	 * process, or with the number of one without a name.
	 * @param prefix the beginning of its name
	 * @return an absolute path, whether it exists or not
	 */
	public static Path besideTemporaryFiles(String prefix) {
		String name = System.getProperty("user.name", "?");
		HostUser current = name.equals("?") ? current() : null;
		return Path.of(System.getProperty("java.io.tmpdir"), prefix + ((current != null) ? current.uid() : name))
			.toAbsolutePath();
	}

	/**
	 * Parses a user.
	 * @param text the name of a user of this machine, a user ID, or user ID and group ID
	 * such as {@code 1000:1000}; a single number is also the group ID
	 * @return the user
	 * @throws IllegalArgumentException if the user does not exist
	 */
	public static HostUser parse(String text) {
		Matcher numbers = NUMBERS.matcher(text);
		if (numbers.matches()) {
			int uid = Integer.parseInt(numbers.group(1));
			return new HostUser(uid, (numbers.group(2) != null) ? Integer.parseInt(numbers.group(2)) : uid);
		}
		try {
			for (String line : Files.readAllLines(USERS, StandardCharsets.ISO_8859_1)) {
				String[] fields = line.split(":", -1);
				if (fields.length > 3 && fields[0].equals(text)) {
					return new HostUser(Integer.parseInt(fields[2]), Integer.parseInt(fields[3]));
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("The users of this machine cannot be read: use numbers such as 65534",
					ex);
		}
		throw new IllegalArgumentException(
				"'" + text + "' is not a user of this machine: use a name, or numbers such as 65534 or 1000:1000");
	}

	/**
	 * Returns the arguments of {@code setpriv} that switch a process to this user.
	 * @return the arguments
	 */
	public List<String> setprivArguments() {
		return List.of("--reuid=" + this.uid, "--regid=" + this.gid, "--clear-groups");
	}

	/**
	 * Gives a file or directory to this user. A link is given itself.
	 * @param path the file or directory, in a directory that no other user can change
	 * @throws IOException if its owner cannot be changed
	 */
	public void own(Path path) throws IOException {
		Files.setAttribute(path, "unix:gid", this.gid, LinkOption.NOFOLLOW_LINKS);
		Files.setAttribute(path, "unix:uid", this.uid, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Gives a directory with everything in it to this user, the directory last.
	 * @param directory a directory with mode 0700 that still belongs to this process, so
	 * that no other user can change anything in it meanwhile
	 * @throws IOException if an owner cannot be changed
	 */
	public void ownTree(Path directory) throws IOException {
		Files.walkFileTree(directory, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				own(file);
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
				if (failure != null) {
					throw failure;
				}
				own(visited);
				return FileVisitResult.CONTINUE;
			}

		});
	}

	/**
	 * Lets all users of the machine pass through a directory to those in it that are open
	 * to them. They still cannot list it.
	 * @param directory a directory of this process
	 * @throws IOException if its permissions cannot be changed
	 */
	public static void letPass(Path directory) throws IOException {
		Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
		if (permissions.addAll(PASS)) {
			Files.setPosixFilePermissions(directory, permissions);
		}
	}

	/**
	 * Returns the outermost directory on the way to a directory, including the latter,
	 * that this user may not enter according to its owner, group and mode. Access control
	 * lists and capabilities are not considered.
	 * @param directory the real path of a directory
	 * @return the directory, or null if this user may enter all of them
	 * @throws IOException if one of them cannot be examined
	 */
	public @Nullable Path barrier(Path directory) throws IOException {
		for (int i = 0; i <= directory.getNameCount(); i++) {
			Path above = (i == 0) ? directory.getRoot() : directory.getRoot().resolve(directory.subpath(0, i));
			if (!mayEnter(Files.readAttributes(above, "unix:uid,gid,mode"))) {
				return above;
			}
		}
		return null;
	}

	/**
	 * Returns whether this user may enter a directory according to its owner, group and
	 * mode.
	 * @param attributes the attributes {@code uid}, {@code gid} and {@code mode} of the
	 * view {@code unix}
	 * @return whether this user may enter it
	 */
	public boolean mayEnter(Map<String, Object> attributes) {
		int mode = (Integer) attributes.getOrDefault("mode", 0);
		if (Integer.valueOf(this.uid).equals(attributes.get("uid"))) {
			return ((mode >> 6) & ENTER) != 0;
		}
		boolean group = Integer.valueOf(this.gid).equals(attributes.get("gid"));
		return ((group ? mode >> 3 : mode) & ENTER) != 0;
	}

	@Override
	public String toString() {
		return this.uid + ":" + this.gid;
	}

}

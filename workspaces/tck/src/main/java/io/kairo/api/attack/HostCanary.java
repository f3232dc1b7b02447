package io.kairo.api.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A directory of the host that no command may read or change, though its permissions
 * allow both to all users. For use by one thread.
 */
public final class HostCanary {

	private final String secret = "SECRET-" + Long.toHexString(ThreadLocalRandom.current().nextLong());

	private final Path directory;

	private final Map<String, String> facts;

	/**
	 * Creates the directory, with a secret in it.
	 * @param directory the directory; it must not exist
	 * @throws IOException if it cannot be created
	 */
	public HostCanary(Path directory) throws IOException {
		this.directory = Files.createDirectory(directory);
		Files.writeString(file(), this.secret + "\n");
		Files.createDirectory(drop());
		open(directory, "rwxrwxrwx");
		open(file(), "rw-rw-rw-");
		open(drop(), "rwxrwxrwx");
		this.facts = facts();
	}

	private static void open(Path path, String permissions) throws IOException {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
	}

	/**
	 * Returns the directory.
	 * @return a host path
	 */
	public Path directory() {
		return this.directory;
	}

	/**
	 * Returns the file that contains the secret.
	 * @return a host path
	 */
	public Path file() {
		return this.directory.resolve("secret");
	}

	/**
	 * Returns an empty directory that an attack may try to leave a file in.
	 * @return a host path
	 */
	public Path drop() {
		return this.directory.resolve("drop");
	}

	/**
	 * Returns the secret.
	 * @return a unique text
	 */
	public String secret() {
		return this.secret;
	}

	/**
	 * Returns whether the secret was disclosed, or a file was left in {@link #drop()}.
	 * Such files are removed.
	 * @param output the output of an attack
	 * @return true if the attack succeeded
	 * @throws IOException if that cannot be determined
	 */
	public boolean isHarmed(String output) throws IOException {
		boolean dropped = emptyDrop();
		return output.contains(this.secret) || dropped;
	}

	private boolean emptyDrop() throws IOException {
		boolean dropped = false;
		try (Stream<Path> files = Files.walk(drop())) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				if (!file.equals(drop())) {
					dropped = true;
					Files.delete(file);
				}
			}
		}
		return dropped;
	}

	/**
	 * Asserts that the directory is unchanged.
	 * @throws IOException if that cannot be determined
	 */
	public void assertUntouched() throws IOException {
		assertThat(facts()).as("files of the host").isEqualTo(this.facts);
	}

	private Map<String, String> facts() throws IOException {
		Map<String, String> facts = new TreeMap<>();
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.forEach((file) -> facts.put(file.toString(), facts(file)));
		}
		return facts;
	}

	private String facts(Path file) {
		try {
			String names = file.equals(drop()) ? "unix:ino,mode,uid" : "unix:ino,mode,uid,nlink,lastModifiedTime";
			return new TreeMap<>(Files.readAttributes(file, names, LinkOption.NOFOLLOW_LINKS))
					+ (Files.isRegularFile(file) ? Files.readString(file) : "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

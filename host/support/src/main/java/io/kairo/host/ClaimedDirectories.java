package io.kairo.host;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Directories of this process beside the directories of other processes. They belong to a
 * {@link Claim} in the same directory, {@code <process>-<key>.claim}, whose random key
 * their own names begin with: {@code <key>-<name>}. As long as the claim is locked, no
 * other process removes them; afterwards any process that {@linkplain #sweep sweeps}
 * does. Commands may see the names of directories, but not the names of claims, and thus
 * not the process. Safe for use by several threads and processes.
 */
public final class ClaimedDirectories implements AutoCloseable {

	private static final Logger logger = System.getLogger(ClaimedDirectories.class.getName());

	private static final String SUFFIX = ".claim";

	private static final String KEY = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

	/**
	 * The names of claims and claimed directories, also as earlier versions wrote them:
	 * directories with the process, but without a namespace; a shorter key; a dot before
	 * the name.
	 */
	private static final Pattern NAME = Pattern
		.compile("(?:(?:\\d+-){2,3}(" + KEY + "|[0-9a-f]{8})|(" + KEY + "))[-.].+");

	private final Path directory;

	private @Nullable Claim claim;

	/**
	 * Creates the directories of this process, none to begin with. Does not access the
	 * disk.
	 * @param directory the directory that contains them, created with mode 0700 when it
	 * is needed
	 */
	public ClaimedDirectories(Path directory) {
		this.directory = directory;
	}

	/**
	 * Claims directories to come. Otherwise {@link #newPath} claims them with the first
	 * one. Does nothing if the claim is held already.
	 * @return the claim
	 * @throws IOException if the claim cannot be created
	 */
	public synchronized Claim claim() throws IOException {
		Claim current = this.claim;
		if (current == null || !current.isHeld()) {
			OwnerOnly.createDirectories(this.directory);
			current = Claim.create(this.directory, ProcessIdentity.current(), SUFFIX);
			this.claim = current;
		}
		return current;
	}

	/**
	 * Returns the path of a new directory, claimed before it exists. The caller creates
	 * it.
	 * @param name the name of the directory, unique within this object
	 * @return the path
	 * @throws IOException if the directory cannot be claimed
	 */
	public Path newPath(String name) throws IOException {
		return this.directory.resolve(key(claim()) + "-" + name);
	}

	/**
	 * Returns everything in the directory except claims.
	 * @return the paths
	 * @throws IOException if the directory cannot be read
	 */
	public List<Path> list() throws IOException {
		return list((name) -> !isClaim(name));
	}

	/**
	 * Returns whether a directory belongs to a claim. An entry that was
	 * {@linkplain #list() listed} without belonging to a claim now has no owner, as a
	 * claim is older than its directories.
	 * @param path an entry of the directory
	 * @return whether there is a claim, held or not, or that cannot be determined
	 */
	public boolean isClaimed(Path path) {
		String key = key(path.getFileName().toString());
		String[] claims = this.directory.toFile()
			.list((parent, name) -> isClaim(name) && Objects.equals(key, key(name)));
		return key != null && (claims == null || claims.length > 0);
	}

	/**
	 * Removes the directories of processes that have ended. The claim of such a directory
	 * is not locked. A directory without a claim is removed if its name tells the
	 * process, as in earlier versions, and that process has certainly ended. Entries with
	 * other names and entries of this process are left alone. Failures are logged; the
	 * next sweep tries again.
	 * @param removal removes a directory
	 * @throws IOException if the directory cannot be read
	 */
	public void sweep(Removal removal) throws IOException {
		Map<String, Path> owners = new LinkedHashMap<>();
		for (Path entry : list((name) -> true)) {
			String name = entry.getFileName().toString();
			String key = key(name);
			if (key != null && (isClaim(name) || !owners.containsKey(key))) {
				owners.put(key, entry);
			}
		}
		String own = ProcessIdentity.current().prefix();
		for (Map.Entry<String, Path> owner : owners.entrySet()) {
			try {
				if (!owner.getValue().getFileName().toString().startsWith(own)) {
					sweep(owner.getKey(), owner.getValue(), removal);
				}
			}
			catch (NoSuchFileException ex) {
				// The claim was given up in the meantime.
			}
			catch (IOException ex) {
				logger.log(Level.WARNING,
						"Directories that a dead process left behind cannot be removed: the next sweep tries again",
						ex);
			}
		}
	}

	/**
	 * Removes the directories with a key unless their owner is alive.
	 * @param entry the claim, or one of the directories if there is no claim
	 */
	private void sweep(String key, Path entry, Removal removal) throws IOException {
		String name = entry.getFileName().toString();
		if (isClaim(name)) {
			try (Claim abandoned = Claim.takeOver(entry)) {
				if (abandoned != null) {
					removeAll(key, removal);
					abandoned.delete();
				}
			}
		}
		else {
			ProcessIdentity process = ProcessIdentity.ofName(name);
			if (process != null && process.hasEnded()) {
				removeAll(key, removal);
			}
		}
	}

	/**
	 * Removes as much as possible.
	 * @throws IOException if something is left
	 */
	private void removeAll(String key, Removal removal) throws IOException {
		IOException failure = null;
		for (Path path : directoriesOf(key)) {
			try {
				removal.remove(path);
			}
			catch (IOException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * Gives the claim up. Directories that are still there then belong to the process
	 * that sweeps next. A later {@link #newPath} makes another claim.
	 */
	@Override
	public synchronized void close() throws IOException {
		Claim current = this.claim;
		this.claim = null;
		if (current != null) {
			try (current) {
				if (directoriesOf(key(current)).isEmpty()) {
					current.delete();
				}
			}
		}
	}

	private List<Path> directoriesOf(String key) throws IOException {
		return list((name) -> !isClaim(name) && key.equals(key(name)));
	}

	private List<Path> list(Predicate<String> names) throws IOException {
		List<Path> entries = new ArrayList<>();
		try (DirectoryStream<Path> stream = Files.newDirectoryStream(this.directory,
				(entry) -> names.test(entry.getFileName().toString()))) {
			stream.forEach(entries::add);
		}
		catch (NoSuchFileException ex) {
			// The directory was never needed.
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return entries;
	}

	private static boolean isClaim(String name) {
		return name.endsWith(SUFFIX);
	}

	private static String key(Claim claim) {
		return Objects.requireNonNull(key(claim.file().getFileName().toString()));
	}

	private static @Nullable String key(String name) {
		Matcher matcher = NAME.matcher(name);
		return !matcher.matches() ? null : (matcher.group(1) != null) ? matcher.group(1) : matcher.group(2);
	}

	/**
	 * The removal of a claimed directory.
	 */
	@FunctionalInterface
	public interface Removal {

		/**
		 * Removes a directory with everything in it.
		 * @param directory the directory
		 * @throws IOException if something is left
		 */
		void remove(Path directory) throws IOException;

	}

}

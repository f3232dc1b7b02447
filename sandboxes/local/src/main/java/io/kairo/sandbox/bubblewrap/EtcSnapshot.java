package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A private copy of the parts of {@code /etc} that commands see: each mount takes a
 * quarter of a millisecond, and a copy needs only one. Owners and permissions are copied
 * too, so that a command can read no more than in the original. The copy is created for
 * the first command and renewed for the next one after a copied entry has changed;
 * changes deeper in a directory are not detected. Older copies are kept, since commands
 * may have them mounted. Safe for use by several threads.
 */
final class EtcSnapshot {

	private static final long PATIENCE_SECONDS = 30;

	private final Path source;

	private final List<String> names;

	private final Pattern more;

	private List<Path> watched = List.of();

	private List<Object> state = List.of();

	private @Nullable Copy copy;

	/**
	 * Creates a snapshot. Nothing is copied yet.
	 * @param source the directory to copy from
	 * @param names paths below the directory to copy; links are followed
	 * @param more pattern of the names of additional entries of the directory to copy
	 */
	EtcSnapshot(Path source, List<String> names, Pattern more) {
		this.source = source;
		this.names = List.copyOf(names);
		this.more = more;
	}

	/**
	 * Returns an up-to-date copy.
	 * @param control provides the directory for the copy
	 * @param own contents of files that the sandbox defines itself, by their names
	 */
	synchronized Copy copy(ControlDirectory control, Map<String, String> own) throws IOException {
		Copy current = this.copy;
		if (current != null && Files.isDirectory(current.directory()) && this.state.equals(state(this.watched))) {
			return current;
		}
		List<String> wanted = wanted();
		List<Path> watched = Stream.concat(Stream.of(this.source), wanted.stream().map(this.source::resolve)).toList();
		List<Object> now = state(watched);
		if (current != null && Files.isDirectory(current.directory()) && watched.equals(this.watched)
				&& now.subList(1, now.size()).equals(this.state.subList(1, now.size()))) {
			// the directory was changed, but no entry that is copied
			this.state = now;
			return current;
		}
		Path made = permit(Files.createDirectory(control.newPath("etc")), "rwxr-xr-x");
		Map<Path, List<String>> byParent = wanted.stream()
			.filter((name) -> Files.exists(this.source.resolve(name)))
			.collect(Collectors.groupingBy((name) -> Path.of(name).resolveSibling(""), TreeMap::new,
					Collectors.toList()));
		for (Map.Entry<Path, List<String>> group : byParent.entrySet()) {
			copyAll(made, group.getKey(), group.getValue());
		}
		for (Map.Entry<String, String> file : own.entrySet()) {
			permit(Files.writeString(made.resolve(file.getKey()), file.getValue()), "r--r--r--");
		}
		List<String> there = Stream.concat(wanted.stream(), own.keySet().stream())
			.filter((name) -> Files.exists(made.resolve(name), LinkOption.NOFOLLOW_LINKS))
			.toList();
		current = new Copy(made, there);
		this.watched = watched;
		this.state = now;
		this.copy = current;
		return current;
	}

	private List<String> wanted() throws IOException {
		List<String> all = new ArrayList<>(this.names);
		try (Stream<Path> entries = Files.list(this.source)) {
			entries.map((entry) -> entry.getFileName().toString())
				.filter((name) -> this.more.matcher(name).matches())
				.forEach(all::add);
		}
		return all;
	}

	private static List<Object> state(List<Path> watched) {
		List<Object> state = new ArrayList<>(watched.size());
		for (Path entry : watched) {
			state.add(stateOf(entry));
		}
		return state;
	}

	private static Object stateOf(Path entry) {
		try {
			BasicFileAttributes file = Files.readAttributes(entry, BasicFileAttributes.class);
			return Arrays.asList(file.fileKey(), file.lastModifiedTime());
		}
		catch (IOException ex) {
			return "missing";
		}
	}

	/**
	 * Copies entries of one directory. Files that this user cannot read are left out.
	 */
	private void copyAll(Path made, Path parent, List<String> entries) throws IOException {
		Path target = made.resolve(parent);
		Path above = made;
		for (Path name : parent) {
			above = above.resolve(name);
			if (!Files.exists(above)) {
				permit(Files.createDirectory(above), "rwxr-xr-x");
			}
		}
		List<String> arguments = new ArrayList<>(List.of("cp", "-RpH", "--"));
		entries.forEach((name) -> arguments.add(this.source.resolve(name).toString()));
		arguments.add(target.toString());
		Process process = new ProcessBuilder(arguments).redirectErrorStream(true)
			.redirectOutput(Redirect.DISCARD)
			.start();
		try {
			if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new IOException("The configuration of the system could not be copied in time");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("The copying of the system's configuration was interrupted", ex);
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static Path permit(Path path, String permissions) throws IOException {
		return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
	}

	/**
	 * A copy.
	 *
	 * @param directory the directory of the copy
	 * @param names paths of the copied files and directories below it
	 */
	record Copy(Path directory, List<String> names) {

	}

}

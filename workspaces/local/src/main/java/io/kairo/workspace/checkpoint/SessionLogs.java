package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The steps of all sessions of a workspace. For use by one thread and process at a time.
 */
final class SessionLogs {

	private static final Logger logger = System.getLogger(SessionLogs.class.getName());

	/** The name of the directory. */
	static final String NAME = "sessions";

	/** A directory that changed before that changes with another time. */
	private static final Duration SETTLED = Duration.ofSeconds(2);

	private final Path directory;

	/** The last listing of the directory of a session. */
	private final Map<Path, Listed> listed = new ConcurrentHashMap<>();

	/**
	 * Creates the value.
	 * @param directory a directory with one for each session
	 */
	SessionLogs(Path directory) {
		this.directory = directory;
	}

	/**
	 * Returns the numbers of the last steps by session.
	 */
	Map<String, Long> lastSteps() {
		Map<String, Long> last = new HashMap<>();
		try {
			List<StepLog> logs = logs();
			this.listed.keySet().retainAll(logs.stream().map(StepLog::directory).collect(Collectors.toSet()));
			for (StepLog each : logs) {
				last.put(each.directory().getFileName().toString(), last(each));
			}
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Steps of other processes are not known", ex);
		}
		return last;
	}

	/**
	 * Returns the steps that came after others.
	 * @param known tests for the file of a step that is left out
	 */
	List<Step> stepsSince(Map<String, Long> last, Predicate<Path> known) throws IOException {
		List<Step> steps = new ArrayList<>();
		for (StepLog each : logs()) {
			long number = last.getOrDefault(each.directory().getFileName().toString(), 0L);
			for (Path file : (last(each) > number) ? each.files() : List.<Path>of()) {
				Step step = (StepLog.number(file) > number && !known.test(file)) ? StepLog.read(file) : null;
				if (step != null) {
					steps.add(step);
				}
			}
		}
		return steps;
	}

	/**
	 * Returns the number of the last step of a session. Most sessions of a workspace are
	 * not in use, and their steps are not listed for each command.
	 */
	private long last(StepLog log) throws IOException {
		FileTime changed;
		try {
			changed = Files.getLastModifiedTime(log.directory());
		}
		catch (NoSuchFileException ex) {
			return 0; // removed meanwhile
		}
		Listed known = this.listed.get(log.directory());
		if (known != null && known.changed().equals(changed)) {
			return known.last();
		}
		long last = log.last();
		if (changed.toInstant().plus(SETTLED).isBefore(Instant.now())) {
			this.listed.put(log.directory(), new Listed(changed, last));
		}
		return last;
	}

	/**
	 * Returns the steps of each session.
	 */
	List<StepLog> logs() throws IOException {
		return directories().stream().map(StepLog::new).toList();
	}

	List<Path> directories() throws IOException {
		return directories(this.directory);
	}

	/**
	 * Returns the directories in another one, none if it does not exist.
	 */
	static List<Path> directories(Path directory) throws IOException {
		List<Path> paths = new ArrayList<>();
		try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory,
				(path) -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))) {
			stream.forEach(paths::add);
		}
		catch (NoSuchFileException ex) {
			return List.of();
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return paths;
	}

	/**
	 * The listing of the steps of a session.
	 *
	 * @param changed the time when its directory had changed
	 * @param last the number of the last step
	 */
	private record Listed(FileTime changed, long last) {

	}

}

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The steps of all sessions of a workspace. For use by one thread and process at a time.
 *
 * @param directory a directory with one for each session
 */
record SessionLogs(Path directory) {

	private static final Logger logger = System.getLogger(SessionLogs.class.getName());

	/** The name of the directory. */
	static final String NAME = "sessions";

	/**
	 * Returns the numbers of the last steps by session.
	 */
	Map<String, Long> lastSteps() {
		Map<String, Long> last = new HashMap<>();
		try {
			for (StepLog each : logs()) {
				last.put(each.directory().getFileName().toString(), each.last());
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
			for (Path file : each.files()) {
				Step step = (StepLog.number(file) > number && !known.test(file)) ? StepLog.read(file) : null;
				if (step != null) {
					steps.add(step);
				}
			}
		}
		return steps;
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

}

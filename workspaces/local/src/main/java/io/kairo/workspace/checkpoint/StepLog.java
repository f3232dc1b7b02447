package io.kairo.workspace.checkpoint;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.kairo.host.OwnerOnly;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a session, each in a file. For use by one thread and process at a time.
 *
 * @param directory their directory, created with the first step
 */
record StepLog(Path directory) {

	private static final Logger logger = System.getLogger(StepLog.class.getName());

	private static final String STEP = ".step";

	private static final String PENDING = ".pending";

	/**
	 * Reads the steps.
	 * @return the oldest first, without damaged ones
	 */
	List<Step> steps() throws IOException {
		List<Step> steps = new ArrayList<>();
		for (Path each : files(STEP)) {
			Step step = read(each);
			if (step != null) {
				steps.add(step);
			}
		}
		return steps;
	}

	/**
	 * Returns the files of the steps, the oldest first.
	 */
	List<Path> files() throws IOException {
		return files(STEP);
	}

	/**
	 * Returns the files of the checkpoints of a name.
	 */
	List<Path> checkpoints(String name) throws IOException {
		List<Path> marks = new ArrayList<>();
		for (Path file : files()) {
			Step step = read(file);
			if (step != null && step.kind() == Step.Kind.CHECKPOINT && step.title().equals(name)) {
				marks.add(file);
			}
		}
		return marks;
	}

	/**
	 * Returns the files of steps that never became valid.
	 */
	List<Path> pending() throws IOException {
		return files(PENDING);
	}

	private List<Path> files(String suffix) throws IOException {
		List<Path> files = new ArrayList<>();
		try (DirectoryStream<Path> found = Files.newDirectoryStream(this.directory, "*" + suffix)) {
			found.forEach(files::add);
		}
		catch (NoSuchFileException ex) {
			return List.of();
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		files.sort(null);
		return files;
	}

	/**
	 * Reads a step.
	 * @return null if it is damaged or of a later version
	 * @throws IOException if it cannot be read at present
	 */
	static @Nullable Step read(Path file) throws IOException {
		try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
			return Step.read(in);
		}
		catch (NoSuchFileException ex) {
			return null; // removed meanwhile
		}
		catch (EOFException | UTFDataFormatException | IllegalArgumentException ex) {
			logger.log(Level.WARNING, "A step cannot be read, and cannot be undone: " + file, ex);
			return null;
		}
	}

	/**
	 * Returns the number of a step, or of one that never became valid.
	 */
	static long number(Path file) {
		String name = file.getFileName().toString();
		return Long.parseLong(name.substring(0, name.indexOf('.')));
	}

	/**
	 * Returns the number of the last step, 0 if there is none.
	 */
	long last() throws IOException {
		return files("").stream().mapToLong(StepLog::number).max().orElse(0);
	}

	/**
	 * Returns the number for a new step, which is above those of all others.
	 * @param last the last number that is known, 0 if none is
	 */
	long next(long last) throws IOException {
		// what another process has appended since then begins with this number
		boolean free = last > 0 && Files.notExists(file(last + 1, STEP)) && Files.notExists(file(last + 1, PENDING));
		return 1 + (free ? last : last());
	}

	/**
	 * Appends a step.
	 * @return its file
	 */
	Path append(Step step) throws IOException {
		return commit(prepare(step));
	}

	/**
	 * Writes a step that becomes valid later.
	 * @return its file
	 */
	Path prepare(Step step) throws IOException {
		OwnerOnly.createDirectories(this.directory);
		return write(step, file(step.number(), PENDING));
	}

	/**
	 * Writes a valid step anew.
	 */
	void replace(Step step) throws IOException {
		Files.move(write(step, file(step.number(), ".draft")), file(step.number(), STEP),
				StandardCopyOption.ATOMIC_MOVE);
	}

	private Path file(long number, String suffix) {
		return this.directory.resolve(String.format(Locale.ROOT, "%012d", number) + suffix);
	}

	private static Path write(Step step, Path file) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		step.write(new DataOutputStream(bytes));
		// an interrupt does not close it
		try (FileOutputStream out = new FileOutputStream(Files.createFile(file, OwnerOnly.file(file)).toFile())) {
			out.write(bytes.toByteArray());
			if (step.kind() != Step.Kind.CALL) {
				out.getFD().sync();
			}
		}
		return file;
	}

	/**
	 * Makes a step valid.
	 * @return its file
	 */
	static Path commit(Path pending) throws IOException {
		String name = pending.getFileName().toString();
		return Files.move(pending, pending.resolveSibling(name.substring(0, name.length() - PENDING.length()) + STEP));
	}

}

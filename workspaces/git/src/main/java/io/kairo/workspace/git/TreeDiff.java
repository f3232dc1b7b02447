package io.kairo.workspace.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;

/**
 * The difference between two trees as a patch, truncated at a bound. Comparing takes at
 * most ten seconds; files not compared by then are shown as replaced.
 */
final class TreeDiff {

	/** Maximum size of a file that is compared by its lines, in bytes. */
	static final int MAX_TEXT_FILE = 8 << 20;

	private static final Duration MAX_COMPARING = Duration.ofSeconds(10);

	private TreeDiff() {
	}

	/**
	 * Compares two trees.
	 * @param bound the maximum size of the patch in bytes
	 * @param over returns whether comparing has to end earlier
	 */
	static String of(Repository repository, ObjectId before, ObjectId after, int bound, BooleanSupplier over)
			throws IOException {
		BoundedOutput output = new BoundedOutput(bound);
		Deadline deadline = Deadline.after(MAX_COMPARING);
		BooleanSupplier ended = () -> deadline.isOver() || over.getAsBoolean();
		BoundedDiff algorithm = new BoundedDiff(ended);
		try (ObjectReader reader = new DiffReader(repository.newObjectReader());
				DiffFormatter formatter = new DiffFormatter(output)) {
			formatter.setReader(reader, repository.getConfig());
			formatter.setBinaryFileThreshold(MAX_TEXT_FILE);
			formatter.setDiffAlgorithm(algorithm);
			formatter.format(entries(formatter, before, after, ended));
			formatter.flush();
		}
		catch (TooLargeException ex) {
			String text = output.text();
			return text.substring(0, text.lastIndexOf('\n') + 1)
					+ "(the difference has more than %,d bytes and is cut here)\n".formatted(bound);
		}
		return output.text() + (algorithm.isMinimal() ? ""
				: "(some files have too many changes to compare: lines that did not change are shown as replaced too)\n");
	}

	/**
	 * Returns the changed files, with renames if there is time to find them.
	 */
	private static List<DiffEntry> entries(DiffFormatter formatter, ObjectId before, ObjectId after,
			BooleanSupplier over) throws IOException {
		formatter.setDetectRenames(true);
		formatter.getRenameDetector().setRenameLimit(200);
		formatter.setProgressMonitor(new EmptyProgressMonitor() {

			@Override
			public boolean isCancelled() {
				return over.getAsBoolean();
			}

		});
		List<DiffEntry> entries = formatter.scan(before, after);
		if (entries.isEmpty() && over.getAsBoolean()) {
			formatter.setDetectRenames(false);
			entries = formatter.scan(before, after);
		}
		return entries;
	}

	/**
	 * An output stream that keeps the first bytes and fails when the bound is exceeded.
	 */
	private static final class BoundedOutput extends OutputStream {

		private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

		private final int bound;

		BoundedOutput(int bound) {
			this.bound = bound;
		}

		@Override
		public void write(int b) throws IOException {
			write(new byte[] { (byte) b }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			int space = this.bound - this.kept.size();
			this.kept.write(bytes, offset, Math.min(space, length));
			if (length > space) {
				throw new TooLargeException();
			}
		}

		String text() {
			return this.kept.toString(StandardCharsets.UTF_8);
		}

	}

}

package io.kairo.workspace.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;

/**
 * The difference between two trees as a patch, truncated at a bound.
 */
final class TreeDiff {

	private static final int MAX_TEXT_FILE = 8 << 20;

	private TreeDiff() {
	}

	static String of(Repository repository, ObjectId before, ObjectId after, int bound) throws IOException {
		BoundedOutput output = new BoundedOutput(bound);
		try (DiffFormatter formatter = new DiffFormatter(output)) {
			formatter.setRepository(repository);
			formatter.setBinaryFileThreshold(MAX_TEXT_FILE);
			formatter.setDetectRenames(true);
			formatter.getRenameDetector().setRenameLimit(200);
			formatter.format(before, after);
			formatter.flush();
		}
		catch (TooLargeException ex) {
			String text = output.text();
			return text.substring(0, text.lastIndexOf('\n') + 1)
					+ "(the difference has more than %,d bytes and is cut here)\n".formatted(bound);
		}
		return output.text();
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

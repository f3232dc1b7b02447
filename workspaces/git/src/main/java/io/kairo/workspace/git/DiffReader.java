package io.kairo.workspace.git;

import java.io.IOException;
import java.io.InputStream;

import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;

/**
 * A reader reporting a file with too many lines as large enough to be compared as a
 * binary file, since comparing takes up to 50 bytes for each line. For use by one thread.
 */
final class DiffReader extends ObjectReader.Filter {

	/** Maximum number of lines of a file that is compared by its lines. */
	static final int MAX_LINES = 500_000;

	private final ObjectReader reader;

	DiffReader(ObjectReader reader) {
		this.reader = reader;
	}

	@Override
	protected ObjectReader delegate() {
		return this.reader;
	}

	@Override
	public ObjectLoader open(AnyObjectId id, int type) throws IOException {
		ObjectLoader loader = super.open(id, type);
		return (loader.getType() == Constants.OBJ_BLOB && hasManyLines(loader)) ? new Large(loader) : loader;
	}

	private static boolean hasManyLines(ObjectLoader loader) throws IOException {
		if (loader.getSize() <= MAX_LINES || loader.getSize() > TreeDiff.MAX_TEXT_FILE) {
			return false;
		}
		int lines = 0;
		byte[] chunk = new byte[8192];
		try (InputStream content = loader.openStream()) {
			for (int read = content.read(chunk); read > 0 && lines <= MAX_LINES; read = content.read(chunk)) {
				for (int i = 0; i < read; i++) {
					lines += (chunk[i] == '\n') ? 1 : 0;
				}
			}
		}
		return lines > MAX_LINES;
	}

	/**
	 * A file that is not compared by its lines.
	 */
	private static final class Large extends ObjectLoader.Filter {

		private final ObjectLoader loader;

		Large(ObjectLoader loader) {
			this.loader = loader;
		}

		@Override
		protected ObjectLoader delegate() {
			return this.loader;
		}

		@Override
		public long getSize() {
			return Long.MAX_VALUE;
		}

	}

}

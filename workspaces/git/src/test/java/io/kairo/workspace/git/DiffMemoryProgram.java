package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TreeFormatter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares large files in a JVM with a small heap, for {@link DiffMemoryTests}.
 */
final class DiffMemoryProgram {

	private static final int BOUND = 1 << 20;

	private DiffMemoryProgram() {
	}

	public static void main(String[] arguments) throws IOException {
		int lineLength = Integer.parseInt(arguments[1]);
		try (Repository repository = new FileRepository(Path.of(arguments[0]).toFile())) {
			repository.create(true);
			repository.getConfig().setInt("core", null, "compression", 0); // saves time
																			// only
			ObjectId before = tree(repository, lineLength, new Random(1));
			ObjectId after = tree(repository, lineLength, new Random(2));
			String diff = TreeDiff.of(repository, before, after, BOUND, () -> false);
			assertThat(diff).contains((TreeDiff.MAX_TEXT_FILE / lineLength > DiffReader.MAX_LINES)
					? "Binary files differ" : "is cut here");
		}
	}

	/**
	 * Inserts a file of random lines.
	 */
	private static ObjectId tree(Repository repository, int lineLength, Random random) throws IOException {
		byte[] content = new byte[TreeDiff.MAX_TEXT_FILE];
		for (int i = 0; i < content.length; i++) {
			content[i] = (byte) ((i % lineLength == lineLength - 1) ? '\n' : ' ' + random.nextInt(95));
		}
		content[0] = (byte) ('a' + random.nextInt(26));
		try (ObjectInserter inserter = repository.newObjectInserter()) {
			TreeFormatter tree = new TreeFormatter();
			tree.append("a.txt", FileMode.REGULAR_FILE, inserter.insert(Constants.OBJ_BLOB, content));
			ObjectId id = inserter.insert(tree);
			inserter.flush();
			return id;
		}
	}

}

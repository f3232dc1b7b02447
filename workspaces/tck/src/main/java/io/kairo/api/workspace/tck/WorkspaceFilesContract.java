package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link WorkspaceFiles} as tests. A store extends this class in its own
 * tests, creates the store, and must pass all tests. Where stores may legitimately
 * differ, a method declares the behaviour of the store, and the test asserts that
 * behaviour instead of being skipped.
 * <p>
 * Every store is used by a single test. A test takes a few seconds at most; some tests
 * start eight threads.
 */
public abstract class WorkspaceFilesContract {

	/**
	 * Creates the contract.
	 */
	protected WorkspaceFilesContract() {
	}

	/**
	 * Creates a store with files.
	 * @param policy the write policy of the store; it does not apply to the given content
	 * @param content the texts of the existing files, to be stored as UTF-8, by canonical
	 * path; empty for none
	 * @return a separate store without other files
	 * @throws IOException if the store cannot be prepared; this fails the test
	 */
	protected abstract WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) throws IOException;

	/**
	 * Returns whether two names that differ only in case are two files. That may depend
	 * on the location of the files, such as the file system.
	 * @return false if they are the same file
	 */
	protected abstract boolean caseSensitive();

	/**
	 * Returns the creator of symbolic links in the store.
	 * @return the creator of links, null if the store has no links
	 */
	protected @Nullable LinkMaker links() {
		return null;
	}

	/**
	 * Returns whether {@link WorkspaceFiles#including(java.nio.file.Path)} returns files.
	 * @return false, the default, if it returns null
	 */
	protected boolean includesDirectories() {
		return false;
	}

	/**
	 * Creates symbolic links without the store.
	 */
	@FunctionalInterface
	public interface LinkMaker {

		/**
		 * Creates a link.
		 * @param files the store
		 * @param path the canonical path of the link, in an existing directory
		 * @param target the text of the link, relative to its directory; {@code ..} in
		 * the root points outside
		 * @throws IOException if the link cannot be created
		 */
		void link(WorkspaceFiles files, String path, String target) throws IOException;

	}

	/**
	 * Returns the number of times that each thread of a race repeats its operation.
	 * @return 25 by default
	 */
	protected int raceRounds() {
		return 25;
	}

	@Nested
	class Gate extends GateContract {

		Gate() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class CanonicalForm extends CanonicalFormContract {

		CanonicalForm() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Reading extends ReadingContract {

		Reading() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Listing extends ListingContract {

		Listing() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Walking extends WalkingContract {

		Walking() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Writing extends WritingContract {

		Writing() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Relocating extends RelocatingContract {

		Relocating() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class FurtherRoots extends FurtherRootContract {

		FurtherRoots() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Exchanging extends ExchangingContract {

		Exchanging() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Batches extends BatchContract {

		Batches() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Policies extends PolicyContract {

		Policies() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class AnyDepth extends AnyDepthContract {

		AnyDepth() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Decorators extends DecoratorContract {

		Decorators() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Races extends RaceContract {

		Races() {
			super(WorkspaceFilesContract.this);
		}

	}

	@Nested
	class Links extends LinkContract {

		Links() {
			super(WorkspaceFilesContract.this);
		}

	}

}

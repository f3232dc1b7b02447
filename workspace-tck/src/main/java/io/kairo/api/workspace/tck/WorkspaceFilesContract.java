package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link WorkspaceFiles} does, whatever it is backed by. A store extends this
 * class in its own tests, says how it is made, and passes all of it: where stores
 * legitimately differ, a method here says how this one does, and the test then asserts
 * the other behaviour instead of being left out.
 * <p>
 * Every store that a test asks for is used by that test alone. A test takes seconds at
 * most; some of them start eight threads.
 *
 * @since 0.1.0
 */
public abstract class WorkspaceFilesContract {

	/**
	 * Creates the contract.
	 */
	protected WorkspaceFilesContract() {
	}

	/**
	 * Makes a store with files in it.
	 * @param policy what may be written through the store; it does not apply to the
	 * content below
	 * @param content the texts of the files that are there already, to be stored as
	 * UTF-8, by canonical path; empty for none
	 * @return a store of its own, with nothing else in it
	 * @throws IOException if the store cannot be prepared, which fails the test
	 */
	protected abstract WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) throws IOException;

	/**
	 * Returns whether two names that differ only by case are two files. It depends on
	 * where the files are, such as on the file system.
	 * @return false where they are the same file
	 */
	protected abstract boolean caseSensitive();

	/**
	 * Returns how symbolic links get into the store.
	 * @return makes links, null where the store has none
	 */
	protected @Nullable LinkMaker links() {
		return null;
	}

	/**
	 * Makes symbolic links behind the back of a store.
	 */
	@FunctionalInterface
	public interface LinkMaker {

		/**
		 * Makes a link.
		 * @param files the store
		 * @param path the canonical path of the link, in a directory that is there
		 * @param target what the link says: relative to its directory; {@code ..} in the
		 * root leads out
		 * @throws IOException if the link cannot be made
		 */
		void link(WorkspaceFiles files, String path, String target) throws IOException;

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

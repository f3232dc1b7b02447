package io.kairo.api.workspace.tck;

import java.util.function.Consumer;

import io.kairo.api.workspace.WorkspaceFiles;
import org.jspecify.annotations.Nullable;

/**
 * An agent that uses the files of a workspace, through a store or through tools. Paths
 * are passed on as the agent writes them, unchecked.
 */
public interface FileAgent {

	/**
	 * Reads a file.
	 * @param path the path
	 * @return its text, or the answer to the agent
	 */
	Answer read(String path);

	/**
	 * Writes a file.
	 * @param path the path
	 * @param text its whole text
	 * @return the answer to the agent
	 */
	Answer write(String path, String text);

	/**
	 * Replaces the text of a file.
	 * @param path the path
	 * @param expected the text that the agent expects
	 * @param text the new text
	 * @return the answer to the agent
	 */
	Answer replace(String path, String expected, String text);

	/**
	 * Lists everything below a directory.
	 * @param directory the path
	 * @return the names, or the answer to the agent
	 */
	Answer list(String directory);

	/**
	 * Finds files by their content.
	 * @param directory the directory to search
	 * @param text the text to find, literally
	 * @return the paths, with lines where available
	 */
	Answer find(String directory, String text);

	/**
	 * Removes a file, or a directory with everything in it.
	 * @param path the path
	 * @return the answer to the agent; by default that the operation is not supported
	 */
	default Answer remove(String path) {
		return Answer.refused("Removing files is not supported");
	}

	/**
	 * Moves a file or a directory.
	 * @param path the path
	 * @param target the new path
	 * @return the answer to the agent; by default that the operation is not supported
	 */
	default Answer move(String path, String target) {
		return Answer.refused("Moving files is not supported");
	}

	/**
	 * Lists the removed entries that can be restored.
	 * @return the paths and ids, or the answer to the agent; by default that there is no
	 * trash
	 */
	default Answer listTrash() {
		return Answer.refused("There is no trash");
	}

	/**
	 * Restores a removed entry.
	 * @param path its path, null if the id is given
	 * @param id its id in the trash, null if the path is given
	 * @return the answer to the agent; by default that there is no trash
	 */
	default Answer restore(@Nullable String path, @Nullable String id) {
		return Answer.refused("There is no trash");
	}

	/**
	 * Shows what the agent has changed.
	 * @return the changes with the contents of files, or the answer to the agent; by
	 * default that nothing is recorded
	 */
	default Answer changes() {
		return Answer.refused("Nothing is recorded");
	}

	/**
	 * Undoes the last change of the agent.
	 * @return the answer to the agent; by default that nothing is recorded
	 */
	default Answer undo() {
		return Answer.refused("Nothing is recorded");
	}

	/**
	 * Undoes the last undoing.
	 * @return the answer to the agent; by default that nothing is recorded
	 */
	default Answer redo() {
		return Answer.refused("Nothing is recorded");
	}

	/**
	 * Makes changes in a trial, and commits them.
	 * @param work is given an agent in the trial, and runs before the commit
	 * @return the answer to the commit; by default that there are no trials
	 */
	default Answer tried(Consumer<FileAgent> work) {
		return Answer.refused("There are no trials");
	}

	/**
	 * Returns an agent of another tenant in the same directory.
	 * @return an agent, by default this one
	 */
	default FileAgent ofOtherTenant() {
		return this;
	}

	/**
	 * Returns an agent that calls a store.
	 * @param files the store
	 * @return an agent
	 */
	static FileAgent of(WorkspaceFiles files) {
		return new StoreAgent(files);
	}

	/**
	 * An answer to an agent.
	 *
	 * @param done whether the operation succeeded
	 * @param text the whole text visible to the agent
	 */
	record Answer(boolean done, String text) {

		/**
		 * Creates the answer to a refused operation.
		 * @param text the message
		 * @return an answer
		 */
		public static Answer refused(String text) {
			return new Answer(false, text);
		}

	}

}

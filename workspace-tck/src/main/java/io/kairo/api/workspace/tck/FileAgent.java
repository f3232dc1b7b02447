package io.kairo.api.workspace.tck;

import io.kairo.api.workspace.WorkspaceFiles;

/**
 * What an agent does with the files of a workspace, whatever it does it through: a store,
 * or tools above it. Paths are what the agent says, unchecked.
 *
 * @since 0.1.0
 */
public interface FileAgent {

	/**
	 * Reads a file.
	 * @param path the path
	 * @return its text, or what the agent is told instead
	 */
	Answer read(String path);

	/**
	 * Writes a file.
	 * @param path the path
	 * @param text its whole text
	 * @return what the agent is told
	 */
	Answer write(String path, String text);

	/**
	 * Replaces the text of a file.
	 * @param path the path
	 * @param expected the text that the agent takes it to have
	 * @param text the new text
	 * @return what the agent is told
	 */
	Answer replace(String path, String expected, String text);

	/**
	 * Lists everything below a directory.
	 * @param directory the path
	 * @return the names, or what the agent is told instead
	 */
	Answer list(String directory);

	/**
	 * Finds files by what is in them.
	 * @param directory where to look
	 * @param text what they contain, literally
	 * @return paths, and lines where it tells lines
	 */
	Answer find(String directory, String text);

	/**
	 * Removes a file, or a directory with all that is in it.
	 * @param path the path
	 * @return what the agent is told; that it cannot, unless overridden
	 */
	default Answer remove(String path) {
		return Answer.refused("There is no way to remove");
	}

	/**
	 * Moves a file or a directory.
	 * @param path the path
	 * @param target the path that it is to have
	 * @return what the agent is told; that it cannot, unless overridden
	 */
	default Answer move(String path, String target) {
		return Answer.refused("There is no way to move");
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
	 * What an agent is told.
	 *
	 * @param done whether it got what it wanted
	 * @param text everything that it sees
	 */
	record Answer(boolean done, String text) {

		/**
		 * Creates the value.
		 * @param done whether it got what it wanted
		 * @param text everything that it sees
		 */
		public Answer {
		}

		/**
		 * Says that it was refused.
		 * @param text the message
		 * @return an answer
		 */
		public static Answer refused(String text) {
			return new Answer(false, text);
		}

	}

}

package io.kairo.tools;

/**
 * The parts of the heap that the sessions of an application share. Safe for use by
 * several threads.
 *
 * @param contents the contents of files that sessions have seen
 * @param files the files that calls hold
 */
record SessionHeap(SeenContents contents, LargeFiles files) {

	/**
	 * Creates the parts for the sessions of an application.
	 */
	static SessionHeap create() {
		return new SessionHeap(SeenContents.ofHeap(), LargeFiles.ofHeap());
	}

}

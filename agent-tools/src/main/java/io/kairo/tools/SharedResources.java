package io.kairo.tools;

import io.kairo.tools.session.LargeFiles;
import io.kairo.tools.session.ProcessorTurns;
import io.kairo.tools.session.SeenContents;

/**
 * The resources that the sessions of an application share. Safe for use by several
 * threads.
 *
 * @param contents the contents of files that sessions have seen
 * @param largeFiles the files that calls hold
 * @param processorTurns the processors for long calls
 */
record SharedResources(SeenContents contents, LargeFiles largeFiles, ProcessorTurns processorTurns) {

	/**
	 * Creates the resources of the sessions of an application.
	 */
	static SharedResources create() {
		return new SharedResources(SeenContents.ofHeap(), LargeFiles.ofHeap(), ProcessorTurns.ofMachine());
	}

}

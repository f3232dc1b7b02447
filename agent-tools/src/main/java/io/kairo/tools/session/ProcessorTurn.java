package io.kairo.tools.session;

/**
 * The turn of a request on a processor.
 *
 * @see ProcessorTurns#begin(String)
 */
@FunctionalInterface
public interface ProcessorTurn extends AutoCloseable {

	/**
	 * Gives the turn back, if it has not ended by itself.
	 */
	@Override
	void close();

}

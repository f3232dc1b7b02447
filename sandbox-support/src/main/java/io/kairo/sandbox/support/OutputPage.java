package io.kairo.sandbox.support;

import java.util.List;

import io.kairo.api.sandbox.SandboxOutputChunk;

/**
 * What {@link OutputLog#read(long, int)} found from a position on.
 *
 * @param chunks the output in order, empty when there is none yet
 * @param nextPosition where to go on reading
 * @param complete whether nothing can come after {@code nextPosition}
 * @since 0.1.0
 */
public record OutputPage(List<SandboxOutputChunk> chunks, long nextPosition, boolean complete) {

	/**
	 * Creates the value.
	 * @param chunks the output in order, copied
	 * @param nextPosition where to go on reading
	 * @param complete whether nothing can come after {@code nextPosition}
	 */
	public OutputPage {
		chunks = List.copyOf(chunks);
	}

}

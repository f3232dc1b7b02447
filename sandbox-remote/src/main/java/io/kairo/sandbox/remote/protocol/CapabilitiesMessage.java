package io.kairo.sandbox.remote.protocol;

import java.util.List;
import java.util.Map;

/**
 * The capabilities of a worker. Names that a client does not know are to be ignored.
 * Immutable.
 *
 * @param backend the name of the sandbox of the worker
 * @param enforced the names of the enforced capabilities
 * @param reasons explanations by the names of capabilities
 * @since 0.1.0
 */
public record CapabilitiesMessage(String backend, List<String> enforced, Map<String, String> reasons) {

}

/**
 * An application that the conformance suite of MCP works with.
 */
@NullMarked
package demo;

import org.jspecify.annotations.NullMarked;

/**
 * The audit of tool calls: sinks, tables, health, meters and endpoint.
 */
@NullMarked
package io.kairo.autoconfigure.audit;

import org.jspecify.annotations.NullMarked;

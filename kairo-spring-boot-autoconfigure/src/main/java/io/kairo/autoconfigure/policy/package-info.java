/**
 * The policy of tool calls and their approval: rules, store, meters and endpoints.
 */
@NullMarked
package io.kairo.autoconfigure.policy;

import org.jspecify.annotations.NullMarked;

/**
 * The contract of sandboxes for the commands of agents, and of their capabilities.
 */
@NullMarked
package io.kairo.api.sandbox;

import org.jspecify.annotations.NullMarked;

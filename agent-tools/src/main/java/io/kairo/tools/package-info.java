/**
 * The tools of an agent as plain Java: their definitions and results, the catalog that
 * calls them by name, the interceptors around each call, and the sessions of agents.
 */
@NullMarked
package io.kairo.tools;

import org.jspecify.annotations.NullMarked;

/**
 * The tools of an agent as plain Java: what they do, how they are called by name, and
 * what stands around each call.
 */
@NullMarked
package io.kairo.tools;

import org.jspecify.annotations.NullMarked;

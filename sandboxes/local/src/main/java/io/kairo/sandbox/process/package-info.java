/**
 * The sandbox that runs commands as processes of the host, without isolation.
 */
@NullMarked
package io.kairo.sandbox.process;

import org.jspecify.annotations.NullMarked;

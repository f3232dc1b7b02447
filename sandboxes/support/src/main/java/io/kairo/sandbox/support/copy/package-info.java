/**
 * Copies of the directories of a command, for a backend that does not see the files of
 * this machine, and the changes that come back.
 */
@NullMarked
package io.kairo.sandbox.support.copy;

import org.jspecify.annotations.NullMarked;

/**
 * Process trees and control groups: starting processes, finding the descendants of a
 * command and ending them.
 */
@NullMarked
package io.kairo.sandbox.support.process;

import org.jspecify.annotations.NullMarked;

/**
 * Quotas for the number and size of the files of a workspace.
 */
@NullMarked
package io.kairo.workspace.quota;

import org.jspecify.annotations.NullMarked;

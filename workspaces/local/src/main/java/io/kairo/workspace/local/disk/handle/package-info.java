/**
 * Open directories for opening, changing and removing entries without following a link,
 * even while directories are being swapped.
 */
@NullMarked
package io.kairo.workspace.local.disk.handle;

import org.jspecify.annotations.NullMarked;

/**
 * Open directories in which entries are opened, changed and removed without following a
 * link, even while directories are being swapped.
 */
@NullMarked
package io.kairo.workspace.local.disk.handle;

import org.jspecify.annotations.NullMarked;

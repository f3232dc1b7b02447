/**
 * The sandbox that runs commands in Linux namespaces created by bubblewrap.
 */
@NullMarked
package io.kairo.sandbox.bubblewrap;

import org.jspecify.annotations.NullMarked;

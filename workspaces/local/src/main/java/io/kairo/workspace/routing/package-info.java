/**
 * A provider that delegates to others by the scheme of a hint, and keeps leases.
 */
@NullMarked
package io.kairo.workspace.routing;

import org.jspecify.annotations.NullMarked;

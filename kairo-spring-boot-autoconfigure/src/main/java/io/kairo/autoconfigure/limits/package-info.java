/**
 * Auto-configuration of the limits of tenants.
 */
@NullMarked
package io.kairo.autoconfigure.limits;

import org.jspecify.annotations.NullMarked;

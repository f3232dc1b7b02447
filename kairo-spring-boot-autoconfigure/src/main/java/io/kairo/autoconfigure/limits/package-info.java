/**
 * Auto-configuration of what holds tenants to their limits.
 */
@NullMarked
package io.kairo.autoconfigure.limits;

import org.jspecify.annotations.NullMarked;

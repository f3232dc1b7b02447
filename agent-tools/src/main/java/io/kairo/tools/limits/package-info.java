/**
 * Limits on the calls and commands of each tenant.
 */
@NullMarked
package io.kairo.tools.limits;

import org.jspecify.annotations.NullMarked;

/**
 * Auto-configuration of tenant identity.
 */
@NullMarked
package io.kairo.autoconfigure.tenancy;

import org.jspecify.annotations.NullMarked;

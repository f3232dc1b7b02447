/**
 * An application whose users are tenants.
 */
@NullMarked
package demo;

import org.jspecify.annotations.NullMarked;

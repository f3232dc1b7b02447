/**
 * The contract of sandboxes and the attacks of commands as test kits that a backend
 * extends.
 */
@NullMarked
package io.kairo.api.sandbox.tck;

import org.jspecify.annotations.NullMarked;

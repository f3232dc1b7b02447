/**
 * The model of attacks, the declarations of backends about the attacks that they do not
 * hold, and the tests that verify them.
 */
@NullMarked
package io.kairo.api.attack;

import org.jspecify.annotations.NullMarked;

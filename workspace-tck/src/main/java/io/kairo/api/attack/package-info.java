/**
 * The corpus of attacks: what an attack is, how a backend says which of them it does not
 * hold against, and the tests that hold it to that.
 */
@NullMarked
package io.kairo.api.attack;

import org.jspecify.annotations.NullMarked;

/**
 * Contracts for sandboxes: where an agent's commands run and what is enforced there.
 */
@NullMarked
package io.kairo.api.sandbox;

import org.jspecify.annotations.NullMarked;

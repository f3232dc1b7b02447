/**
 * Directories of a tenant that commands keep from session to session.
 */
@NullMarked
package io.kairo.sandbox.support.cache;

import org.jspecify.annotations.NullMarked;

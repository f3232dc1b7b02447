/**
 * A server that offers a sandbox of this machine to authorized clients.
 */
@NullMarked
package io.kairo.sandbox.remote.server;

import org.jspecify.annotations.NullMarked;

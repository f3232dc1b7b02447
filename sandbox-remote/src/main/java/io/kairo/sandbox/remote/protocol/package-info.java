/**
 * What a {@link io.kairo.sandbox.remote.RemoteSandbox} and a
 * {@link io.kairo.sandbox.remote.server.SandboxServer} send each other.
 */
@NullMarked
package io.kairo.sandbox.remote.protocol;

import org.jspecify.annotations.NullMarked;

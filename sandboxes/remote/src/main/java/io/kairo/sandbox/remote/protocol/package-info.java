/**
 * The messages between a {@link io.kairo.sandbox.remote.RemoteSandbox} and a
 * {@link io.kairo.sandbox.remote.server.SandboxServer}.
 */
@NullMarked
package io.kairo.sandbox.remote.protocol;

import org.jspecify.annotations.NullMarked;

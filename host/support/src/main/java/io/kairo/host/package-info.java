/**
 * State on the host that outlives a single call: process identity, claims on directories,
 * private directories, deletion of trees, mounts, handles and hashes.
 */
@NullMarked
package io.kairo.host;

import org.jspecify.annotations.NullMarked;

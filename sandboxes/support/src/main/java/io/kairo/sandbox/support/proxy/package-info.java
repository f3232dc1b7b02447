/**
 * An HTTP proxy on the host that lets commands without a network reach the hosts of an
 * allow-list.
 */
@NullMarked
package io.kairo.sandbox.support.proxy;

import org.jspecify.annotations.NullMarked;

package io.kairo.sandbox.support.proxy;

import java.net.InetSocketAddress;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The route to a target. Immutable.
 *
 * @param target the target
 * @param addresses the addresses to connect to: checked addresses of the target, or the
 * addresses of the upstream proxy
 * @param upstream the proxy to connect to, null to connect to the target
 */
record Route(Target target, List<InetSocketAddress> addresses, @Nullable UpstreamProxy upstream) {

}

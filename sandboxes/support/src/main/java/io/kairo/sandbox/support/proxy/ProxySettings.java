package io.kairo.sandbox.support.proxy;

/**
 * The settings of a proxy.
 *
 * @param destinations checks the targets of requests
 * @param rules the rules for requests
 * @param limits the limits of each command
 */
record ProxySettings(Destinations destinations, RequestRules rules, ProxyLimits limits) {

}

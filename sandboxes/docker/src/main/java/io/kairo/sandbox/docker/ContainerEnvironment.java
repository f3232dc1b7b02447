package io.kairo.sandbox.docker;

import java.util.Map;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import org.jspecify.annotations.Nullable;

/**
 * The environment of commands: the variables of the image, the variables of the JVM that
 * are on the allow-list, except the ones that describe this machine, and the variables of
 * the request.
 *
 * @param allowed the allow-list
 * @param proxy the proxy that commands reach; null if there is none
 */
record ContainerEnvironment(EnvironmentAllowList allowed, @Nullable AllowListProxy proxy) {

	private static final String USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

	/**
	 * Returns the variables of a command.
	 * @param inherited the environment of the JVM
	 * @throws io.kairo.api.sandbox.SandboxException if a variable cannot be passed to a
	 * process
	 */
	Map<String, String> variables(Map<String, String> inherited, DockerImage image, SandboxRequest request) {
		Map<String, String> requested = request.env();
		Map<String, String> entries = this.allowed.environment(inherited, requested);
		Map<String, String> ofImage = image.environment();
		entries.put("PATH", requested.getOrDefault("PATH", ofImage.getOrDefault("PATH", USUAL_PATH)));
		entries.put("HOME", requested.getOrDefault("HOME", ContainerFactory.HOME));
		if (this.proxy != null) {
			this.proxy.addVariables(entries, request, ProxyTunnels.PORT);
		}
		ofImage.forEach(entries::putIfAbsent);
		// an image may know nothing of the user
		JavaOptions.addTo(entries, null);
		return entries;
	}

}

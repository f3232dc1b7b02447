package io.kairo.autoconfigure.sandbox;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.EnvironmentAllowList;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Adds the configured environment variables to every command, before the interceptors of
 * the application.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class CommandEnvironment implements SandboxInterceptor {

	private final Map<String, String> variables;

	CommandEnvironment(Map<String, String> variables) {
		this.variables = variables;
	}

	/**
	 * Returns the names of the variables that would reveal a secret to commands.
	 */
	static Set<String> revealing(SandboxProperties properties, Set<String> secrets) {
		Set<String> revealing = new HashSet<>();
		new EnvironmentAllowList(properties.inheritEnv()).environment(System.getenv(), properties.env())
			.forEach((name, value) -> {
				if (secrets.stream().anyMatch(value::contains)) {
					revealing.add(name);
				}
			});
		return revealing;
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		if (this.variables.isEmpty()) {
			return chain.proceed(request);
		}
		Map<String, String> env = new HashMap<>(request.env());
		env.putAll(this.variables);
		return chain.proceed(new SandboxRequest(request.command(), request.workspaceRoot(), env, request.timeout(),
				request.maxOutputBytes(), request.tenant(), request.readOnly(), request.attributes()));
	}

}

package io.kairo.autoconfigure.sandbox;

import java.util.List;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxInterceptor;

/**
 * A sandbox that applies interceptors to its own commands. Such a bean needs no proxy,
 * whose class would be generated at the start of the application.
 */
public interface InterceptableSandbox extends ExecutionSandbox {

	/**
	 * Sets the interceptors. Called before the sandbox is used.
	 * @param interceptors supplies the interceptors, the first one outermost, when a
	 * command is started
	 */
	void interceptWith(Supplier<List<SandboxInterceptor>> interceptors);

	/**
	 * Returns the sandbox without its interceptors.
	 * @return the sandbox that starts the commands
	 */
	ExecutionSandbox withoutInterceptors();

}

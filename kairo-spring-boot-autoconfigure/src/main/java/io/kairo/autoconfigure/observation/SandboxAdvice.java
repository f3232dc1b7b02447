package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.SandboxRequest;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Stands around {@link io.kairo.api.sandbox.ExecutionSandbox#start} of every sandbox.
 */
interface SandboxAdvice extends MethodInterceptor {

	/**
	 * Returns what the sandbox is to start, null if it is called for something else.
	 */
	static @Nullable SandboxRequest started(MethodInvocation invocation) {
		return (invocation.getMethod().getName().equals("start") && invocation.getMethod().getParameterCount() == 1
				&& invocation.getArguments()[0] instanceof SandboxRequest request) ? request : null;
	}

}

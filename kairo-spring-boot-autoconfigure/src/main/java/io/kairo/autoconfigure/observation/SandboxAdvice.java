package io.kairo.autoconfigure.observation;

import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Stands around {@link ExecutionSandbox#start} of every sandbox.
 */
abstract class SandboxAdvice implements MethodInterceptor {

	@Override
	public final @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		if (invocation.getMethod().getName().equals("start") && invocation.getMethod().getParameterCount() == 1
				&& invocation.getArguments()[0] instanceof SandboxRequest request
				&& invocation.getThis() instanceof ExecutionSandbox sandbox) {
			return start(new Start(request, sandbox, invocation));
		}
		return invocation.proceed();
	}

	/**
	 * Lets the sandbox start a command.
	 * @param start what is to be started, and where
	 * @return the command
	 * @throws Throwable if it could not be started
	 */
	abstract SandboxHandle start(Start start) throws Throwable;

	/**
	 * The start of one command.
	 *
	 * @param request what is to be started
	 * @param sandbox where
	 * @param invocation leads there
	 */
	record Start(SandboxRequest request, ExecutionSandbox sandbox, MethodInvocation invocation) {

		String backend() {
			return this.sandbox.capabilities(this.request.tenant()).backend();
		}

		SandboxHandle proceed() throws Throwable {
			return Objects.requireNonNull((SandboxHandle) this.invocation.proceed(), "handle");
		}

	}

}

package io.kairo.autoconfigure.observation;

import org.aopalliance.intercept.MethodInterceptor;

/**
 * Stands around {@link io.kairo.api.sandbox.ExecutionSandbox#start} of every sandbox.
 */
interface SandboxAdvice extends MethodInterceptor {

}

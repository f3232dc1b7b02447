package io.kairo.autoconfigure.sandbox;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.sandbox.backend.BackendSandbox;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Puts the {@link SandboxInterceptor} beans around every {@link ExecutionSandbox} bean.
 * The bean becomes a proxy that is still of its own class, where that can be subclassed,
 * so that it can be injected as before. The proxy sends the methods of
 * {@code ExecutionSandbox} to the intercepted sandbox and all others to the bean itself.
 * A {@link BackendSandbox} applies them without a proxy.
 */
final class SandboxInterceptorPostProcessor implements BeanPostProcessor, SmartInitializingSingleton {

	private final Supplier<List<SandboxInterceptor>> interceptors;

	/**
	 * Creates the processor.
	 * @param interceptors supplies the interceptors when all beans have been created, or
	 * for a sandbox that is a proxy, since a post-processor must not create other beans
	 * early; they are the same each time
	 */
	SandboxInterceptorPostProcessor(Supplier<List<SandboxInterceptor>> interceptors) {
		this.interceptors = interceptors;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof ExecutionSandbox sandbox)) {
			return bean;
		}
		if (sandbox instanceof BackendSandbox backend) {
			backend.interceptWith(this.interceptors);
			return bean;
		}
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(canBeSubclassed(bean.getClass()));
		factory.addAdvice(sendingTo(SandboxInterceptor.around(sandbox, this.interceptors.get())));
		return factory.getProxy(bean.getClass().getClassLoader());
	}

	/**
	 * Creates the interceptors: for the first command after the end of the application,
	 * it would be too late.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		Objects.requireNonNull(this.interceptors.get(), "interceptors");
	}

	private static MethodInterceptor sendingTo(ExecutionSandbox intercepted) {
		return (invocation) -> {
			Method called = invocation.getMethod();
			Method declared = ClassUtils.getMethodIfAvailable(ExecutionSandbox.class, called.getName(),
					called.getParameterTypes());
			return (declared != null)
					? AopUtils.invokeJoinpointUsingReflection(intercepted, declared, invocation.getArguments())
					: invocation.proceed();
		};
	}

	/**
	 * Returns whether a subclass can override every public method. If not, the proxy has
	 * only the interfaces of the bean.
	 */
	private static boolean canBeSubclassed(Class<?> type) {
		return !Modifier.isFinal(type.getModifiers()) && !type.isHidden() && !type.isSynthetic() && !type.isSealed()
				&& Arrays.stream(type.getDeclaredConstructors())
					.anyMatch((constructor) -> !Modifier.isPrivate(constructor.getModifiers()))
				&& Arrays.stream(type.getMethods())
					.filter((method) -> method.getDeclaringClass() != Object.class)
					.noneMatch((method) -> Modifier.isFinal(method.getModifiers()));
	}

}

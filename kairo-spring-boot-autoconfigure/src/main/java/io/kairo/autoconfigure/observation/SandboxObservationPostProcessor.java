package io.kairo.autoconfigure.observation;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Has every {@link ExecutionSandbox} bean observed, whoever made it, by a proxy that is
 * still of the bean's own class.
 */
final class SandboxObservationPostProcessor implements BeanPostProcessor {

	private final Supplier<SandboxObservation> observation;

	/**
	 * Creates the processor.
	 * @param observation is asked for when the first sandbox is made, since a processor
	 * must not draw other beans into being early
	 */
	SandboxObservationPostProcessor(Supplier<SandboxObservation> observation) {
		this.observation = observation;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof ExecutionSandbox)) {
			return bean;
		}
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(canBeSubclassed(bean.getClass()));
		factory.addAdvice(this.observation.get());
		return factory.getProxy(bean.getClass().getClassLoader());
	}

	/**
	 * Returns whether a subclass can take over every method. If not, the bean is known by
	 * its interfaces only.
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

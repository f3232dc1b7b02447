package io.kairo.autoconfigure.observation;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Has every {@link ExecutionSandbox} bean watched, whoever made it, by a proxy that is
 * still of the bean's own class.
 */
final class SandboxAdvicePostProcessor implements BeanPostProcessor {

	private final Supplier<List<SandboxAdvice>> advices;

	/**
	 * Creates the processor.
	 * @param advices are asked for when the first sandbox is made, since a processor must
	 * not draw other beans into being early
	 */
	SandboxAdvicePostProcessor(Supplier<List<SandboxAdvice>> advices) {
		this.advices = advices;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof ExecutionSandbox)) {
			return bean;
		}
		ProxyFactory factory = new ProxyFactory(bean);
		factory.setProxyTargetClass(canBeSubclassed(bean.getClass()));
		this.advices.get().forEach(factory::addAdvice);
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

package io.kairo.boot;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if the configuration names a type of sandbox, for all tenants, for one or in
 * {@code kairo.sandbox.auto-order}, so that the driver of a type that is not used costs
 * no time at start-up.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnSandboxType.class)
public @interface ConditionalOnSandboxType {

	/**
	 * Returns the type.
	 * @return the type, as a {@code SandboxDriver} spells it
	 */
	String value();

}

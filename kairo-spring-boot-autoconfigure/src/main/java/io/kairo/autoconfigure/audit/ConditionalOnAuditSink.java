package io.kairo.autoconfigure.audit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if {@code kairo.audit.sinks} names a sink.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@Conditional(OnAuditSink.class)
@interface ConditionalOnAuditSink {

	/**
	 * Returns the sink.
	 * @return the type of the sink
	 */
	AuditSinkType value();

}

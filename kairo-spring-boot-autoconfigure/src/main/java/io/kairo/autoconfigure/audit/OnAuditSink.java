package io.kairo.autoconfigure.audit;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The condition of {@link ConditionalOnAuditSink}.
 */
final class OnAuditSink extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		AuditSinkType wanted = metadata.getAnnotations()
			.get(ConditionalOnAuditSink.class)
			.getEnum("value", AuditSinkType.class);
		List<AuditSinkType> sinks = sinks(context.getEnvironment());
		return new ConditionOutcome(sinks.contains(wanted),
				ConditionMessage.forCondition(ConditionalOnAuditSink.class).because("kairo.audit.sinks is " + sinks));
	}

	/**
	 * Returns the sinks that the property names.
	 */
	static List<AuditSinkType> sinks(Environment environment) {
		return Binder.get(environment)
			.bind("kairo.audit.sinks", Bindable.listOf(AuditSinkType.class))
			.orElseGet(List::of);
	}

}

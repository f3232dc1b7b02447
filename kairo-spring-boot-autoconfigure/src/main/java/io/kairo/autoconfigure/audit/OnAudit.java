package io.kairo.autoconfigure.audit;

import java.util.List;
import java.util.Objects;

import io.kairo.governance.audit.AuditSink;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code kairo.audit.sinks} names a sink or the application has a bean of type
 * {@link AuditSink}.
 */
final class OnAudit extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Audit");
		List<AuditSinkType> sinks = OnAuditSink.sinks(context.getEnvironment());
		if (!sinks.isEmpty()) {
			return ConditionOutcome.match(message.because("kairo.audit.sinks is " + sinks));
		}
		String[] beans = Objects.requireNonNull(context.getBeanFactory())
			.getBeanNamesForType(AuditSink.class, true, false);
		return new ConditionOutcome(beans.length > 0,
				message.because("there " + ((beans.length > 0) ? "is a sink" : "are no sinks")));
	}

}

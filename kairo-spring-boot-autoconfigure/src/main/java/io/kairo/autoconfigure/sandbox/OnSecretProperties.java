package io.kairo.autoconfigure.sandbox;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is any property below {@code kairo.secrets}.
 */
final class OnSecretProperties extends SpringBootCondition {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("kairo.secrets");

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(context.getEnvironment())) {
			if (source.containsDescendantOf(PREFIX) != ConfigurationPropertyState.ABSENT) {
				return ConditionOutcome.match();
			}
		}
		return ConditionOutcome.noMatch(ConditionMessage.forCondition("Secrets").because("there are no secrets"));
	}

}

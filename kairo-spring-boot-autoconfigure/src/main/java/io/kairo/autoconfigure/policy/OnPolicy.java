package io.kairo.autoconfigure.policy;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.governance.policy.ToolPolicy;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code kairo.policy.rules} or {@code kairo.policy.otherwise} is set or the
 * application has a bean of type {@link ToolPolicy}.
 */
final class OnPolicy extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Policy");
		if (isConfigured(context.getEnvironment())) {
			return ConditionOutcome.match(message.because("kairo.policy has rules"));
		}
		String[] beans = Objects.requireNonNull(context.getBeanFactory())
			.getBeanNamesForType(ToolPolicy.class, true, false);
		return new ConditionOutcome(beans.length > 0,
				message.because("there is " + ((beans.length > 0) ? "a policy" : "no policy")));
	}

	private static boolean isConfigured(Environment environment) {
		Binder binder = Binder.get(environment);
		List<?> rules = binder.bind("kairo.policy.rules", Bindable.listOf(Map.class)).orElseGet(List::of);
		return !rules.isEmpty() || binder.bind("kairo.policy.otherwise", String.class).isBound();
	}

}

package io.kairo.autoconfigure.ledger;

import java.util.Objects;

import io.kairo.governance.ledger.UsageLedger;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code kairo.budgets.enabled} says so or, without it, if there is a budget
 * or a bean of type {@link UsageLedger}.
 */
final class OnBudgets extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Budgets");
		Boolean enabled = context.getEnvironment().getProperty("kairo.budgets.enabled", Boolean.class);
		if (enabled != null) {
			return new ConditionOutcome(enabled, message.because("kairo.budgets.enabled is " + enabled));
		}
		boolean budgets = Binder.get(context.getEnvironment())
			.bind("kairo.budgets.tenants", Bindable.mapOf(String.class, Object.class))
			.isBound();
		if (budgets) {
			return ConditionOutcome.match(message.because("kairo.budgets.tenants has an entry"));
		}
		String[] ledgers = Objects.requireNonNull(context.getBeanFactory())
			.getBeanNamesForType(UsageLedger.class, true, false);
		return new ConditionOutcome(ledgers.length > 0,
				message.because("there " + ((ledgers.length > 0) ? "is a ledger" : "are no budgets")));
	}

}

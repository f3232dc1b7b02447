package io.kairo.autoconfigure.ledger;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code kairo.budgets.enabled} says so or, without it, if there is a budget.
 */
final class OnBudgets extends SpringBootCondition {

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
		return new ConditionOutcome(budgets,
				message.because("kairo.budgets.tenants has " + (budgets ? "an entry" : "no entry")));
	}

}

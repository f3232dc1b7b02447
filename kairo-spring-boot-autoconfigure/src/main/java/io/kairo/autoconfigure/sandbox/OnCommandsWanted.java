package io.kairo.autoconfigure.sandbox;

import io.kairo.boot.OnSandboxType;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless commands are disabled by {@code kairo.sandbox.type=none}.
 */
public final class OnCommandsWanted extends SpringBootCondition {

	OnCommandsWanted() {
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String type = OnSandboxType
			.canonical(context.getEnvironment().getProperty("kairo.sandbox.type", SandboxProperties.AUTO));
		ConditionMessage.Builder message = ConditionMessage.forCondition("Commands wanted");
		return new ConditionOutcome(!type.equals(SandboxProperties.NONE),
				message.because("kairo.sandbox.type is " + type));
	}

}

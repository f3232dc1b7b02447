package io.kairo.autoconfigure.tools;

import io.kairo.tools.ToolNaming;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code kairo.tools.naming} is {@link ToolNaming#SNAKE_CASE}.
 */
final class OnSnakeCaseNaming extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ToolNaming naming = Binder.get(context.getEnvironment())
			.bind("kairo.tools.naming", ToolNaming.class)
			.orElse(ToolNaming.CLAUDE);
		ConditionMessage.Builder message = ConditionMessage.forCondition("Snake case naming");
		return new ConditionOutcome(naming == ToolNaming.SNAKE_CASE,
				message.because("kairo.tools.naming is " + naming));
	}

}

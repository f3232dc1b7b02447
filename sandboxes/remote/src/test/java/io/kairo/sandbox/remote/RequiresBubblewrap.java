package io.kairo.sandbox.remote;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests whose worker has bubblewrap. If it cannot be used, they are skipped with
 * the reason, unless the environment variable {@code KAIRO_REQUIRE} names
 * {@code bubblewrap}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("bubblewrap")
@ExtendWith(RequiresBubblewrap.Condition.class)
@interface RequiresBubblewrap {

	class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap")) {
				return ConditionEvaluationResult.enabled("KAIRO_REQUIRE names bubblewrap");
			}
			try (BubblewrapSandbox sandbox = new BubblewrapSandbox(JvmUser.bubblewrapOptions())) {
				BackendProblem problem = sandbox.problem();
				return (problem != null) ? ConditionEvaluationResult.disabled(problem.toString())
						: ConditionEvaluationResult.enabled("bubblewrap can be used");
			}
		}

	}

}

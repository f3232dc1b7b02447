package io.kairo.sandbox.landlock;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

import io.kairo.sandbox.backend.BackendProblem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that require Landlock, and an ordinary user. If it cannot be used, they are
 * skipped with the reason, unless the environment variable {@code KAIRO_REQUIRE} names
 * {@code landlock}. For root, another test runs them as another user.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("landlock")
@ExtendWith(RequiresLandlock.Condition.class)
@interface RequiresLandlock {

	class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			try (LandlockSandbox sandbox = new LandlockSandbox()) {
				BackendProblem problem = sandbox.problem();
				boolean root = Reason.ROOT.is(problem);
				boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(","))
					.contains("landlock");
				return (problem != null && (root || !required)) ? ConditionEvaluationResult.disabled(problem.toString())
						: ConditionEvaluationResult.enabled("Landlock can be used, or is required");
			}
		}

	}

}

package io.kairo.sandbox.docker;

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
 * Marks tests that require a Docker engine with gVisor as its runtime {@code runsc}, and
 * the image that {@code src/test/docker/gvisor-image} makes. If they cannot be used, the
 * tests are skipped with the reason, unless the environment variable
 * {@code KAIRO_REQUIRE} names {@code runsc}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("docker")
@ExtendWith(RequiresRunsc.Condition.class)
@interface RequiresRunsc {

	class Condition implements ExecutionCondition {

		/**
		 * The self-test takes seconds, and the condition is evaluated for every test.
		 */
		private static final ConditionEvaluationResult RESULT = evaluate();

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			return RESULT;
		}

		private static ConditionEvaluationResult evaluate() {
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("runsc")) {
				return ConditionEvaluationResult.enabled("KAIRO_REQUIRE names runsc");
			}
			try (DockerSandbox sandbox = new DockerSandbox(GvisorContainers.options())) {
				BackendProblem problem = sandbox.problem();
				return (problem != null)
						? ConditionEvaluationResult
							.disabled(problem + "; sandboxes/docker/src/test/docker/gvisor-image makes the image")
						: ConditionEvaluationResult.enabled("gVisor can be used");
			}
		}

	}

}

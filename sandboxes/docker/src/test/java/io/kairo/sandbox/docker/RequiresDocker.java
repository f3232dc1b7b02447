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
 * Marks tests that require a Docker engine and the image that
 * {@code src/test/docker/test-image} makes. If they cannot be used, the tests are skipped
 * with the reason, unless the environment variable {@code KAIRO_REQUIRE} names
 * {@code docker}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("docker")
@ExtendWith(RequiresDocker.Condition.class)
@interface RequiresDocker {

	class Condition implements ExecutionCondition {

		/**
		 * The self-test takes a second, and the condition is evaluated for every test.
		 */
		private static final ConditionEvaluationResult RESULT = evaluate();

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			return RESULT;
		}

		private static ConditionEvaluationResult evaluate() {
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("docker")) {
				return ConditionEvaluationResult.enabled("KAIRO_REQUIRE names docker");
			}
			try (DockerSandbox sandbox = new DockerSandbox(DockerOptions.of(TestContainers.IMAGE))) {
				BackendProblem problem = sandbox.problem();
				return (problem != null)
						? ConditionEvaluationResult
							.disabled(problem + "; sandboxes/docker/src/test/docker/test-image makes the image")
						: ConditionEvaluationResult.enabled("Docker can be used");
			}
		}

	}

}

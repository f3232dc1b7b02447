package demo;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/**
 * Marks tests that require a Docker engine, and a Debian system with bubblewrap to make
 * the base image of. Without them the tests are skipped, and the reason is printed,
 * unless the environment variable {@code KAIRO_REQUIRE} names {@code docker}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresDocker.Condition.class)
@interface RequiresDocker {

	class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			if (context.getTestMethod().isPresent()) {
				return ConditionEvaluationResult.enabled("The class is enabled");
			}
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("docker")) {
				return ConditionEvaluationResult.enabled("KAIRO_REQUIRE names docker");
			}
			String missing = missing();
			if (missing == null) {
				return ConditionEvaluationResult.enabled("Docker can be used");
			}
			System.out.println("Skipped " + context.getDisplayName() + ": " + missing);
			return ConditionEvaluationResult.disabled(missing);
		}

		private static String missing() {
			for (String program : List.of("dpkg-query", "docker", "bwrap")) {
				if (!Files.isExecutable(Path.of("/usr/bin", program))) {
					return "/usr/bin/" + program + " is missing";
				}
			}
			return DockerClientFactory.instance().isDockerAvailable() ? null : "no Docker engine answers";
		}

	}

}

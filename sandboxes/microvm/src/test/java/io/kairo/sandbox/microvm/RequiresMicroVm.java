package io.kairo.sandbox.microvm;

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
 * Marks tests that require virtual machines: QEMU, bubblewrap, and an image that
 * {@code make-image.sh} has made in the directory that the environment variable
 * {@code KAIRO_MICROVM_IMAGE} names. Otherwise they are skipped with the reason, unless
 * the environment variable {@code KAIRO_REQUIRE} names {@code microvm}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("microvm")
@ExtendWith(RequiresMicroVm.Condition.class)
@interface RequiresMicroVm {

	class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("microvm")) {
				return ConditionEvaluationResult.enabled("KAIRO_REQUIRE names microvm");
			}
			if (MicroVmFixture.image() == null) {
				return ConditionEvaluationResult.disabled("KAIRO_MICROVM_IMAGE names no image");
			}
			try (MicroVmSandbox sandbox = MicroVmFixture.sandbox(MicroVmFixture.options())) {
				BackendProblem problem = sandbox.problem();
				return (problem != null) ? ConditionEvaluationResult.disabled(problem.toString())
						: ConditionEvaluationResult.enabled("virtual machines can be used");
			}
		}

	}

}

package io.kairo.sandbox.docker;

import java.time.Duration;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the contract of every sandbox with {@link DockerSandbox} and gVisor, in the long
 * form of the tests only. A test takes twice as long as with runc, so those parts are
 * left out that examine the JVM rather than the container: how output reaches
 * subscribers, which requests are refused, and what many commands at once leave in the
 * JVM. {@link DockerSandboxContractTests} runs them with the same code. The system
 * property {@code kairo.gvisor=all} includes them.
 */
@RequiresRunsc
@ExtendWith(GvisorSandboxContractTests.Parts.class)
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
class GvisorSandboxContractTests extends ExecutionSandboxContract {

	private final GvisorContainers containers = new GvisorContainers();

	@Override
	protected ExecutionSandbox createSandbox() {
		return this.containers.sandbox(GvisorContainers.options().withIdleTimeout(Duration.ofSeconds(5)));
	}

	@Override
	protected int countProcesses(String argument) {
		return this.containers.countProcesses(argument);
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF, SandboxCapability.TREE_KILL,
				SandboxCapability.SURVIVES_NO_JVM, SandboxCapability.ENV_ISOLATION, SandboxCapability.STDIN,
				SandboxCapability.SIGNAL_DISTINCT);
	}

	/**
	 * Leaves out parts of the contract.
	 */
	static class Parts implements ExecutionCondition {

		private static final Set<String> LEFT_OUT = Set.of("Output", "Subscribers", "Refusals", "SideBySide");

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			String part = context.getTestClass().map(Class::getSimpleName).orElse("");
			return (LEFT_OUT.contains(part) && !"all".equals(System.getProperty("kairo.gvisor")))
					? ConditionEvaluationResult.disabled(part + " requires -Dkairo.gvisor=all")
					: ConditionEvaluationResult.enabled(part + " is run");
		}

	}

}

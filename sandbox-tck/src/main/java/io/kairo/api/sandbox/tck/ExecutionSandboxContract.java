package io.kairo.api.sandbox.tck;

import java.nio.file.Path;
import java.util.Set;

import io.kairo.api.attack.Trees;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every sandbox has to do, as tests. A backend extends this class, says how a
 * sandbox is made and which capabilities it must have where the tests run. Any other
 * capability that it claims is put to the test as well; one that it does not claim turns
 * a test from "holds" to "is refused with a reason", and never skips one.
 * <p>
 * The commands of the tests are for a shell of the sh kind and use the usual programs of
 * a Unix system, {@code setsid}, {@code mount} and {@code unshare} of util-linux among
 * them.
 *
 * @since 0.1.0
 */
@Timeout(120)
public abstract class ExecutionSandboxContract {

	@TempDir
	@Nullable Path workspace;

	private @Nullable Trial trial;

	/**
	 * Creates the contract.
	 */
	protected ExecutionSandboxContract() {
	}

	/**
	 * Creates the sandbox to test. Called once for each test; closed afterwards if it is
	 * {@link AutoCloseable}.
	 * @return a sandbox
	 */
	protected abstract ExecutionSandbox createSandbox();

	/**
	 * Returns what the sandbox has to enforce where the tests run, so that a backend that
	 * claims nothing does not pass.
	 * @return capabilities, none to require none
	 */
	protected abstract Set<SandboxCapability> requiredCapabilities();

	/**
	 * Returns the names of the variables that the sandbox lets through from the
	 * environment of the JVM.
	 * @return {@code PATH}, {@code LANG} and {@code HOME} unless overridden
	 */
	protected Set<String> inheritedEnvironment() {
		return Set.of("PATH", "LANG", "HOME");
	}

	/**
	 * Counts the processes of sandboxes that are alive and have an argument. A backend
	 * whose processes are not those of this machine overrides it.
	 * @param argument a number that occurs in no other command line
	 * @return how many processes of this machine have it, unless overridden
	 */
	protected int countProcesses(String argument) {
		return HostProcesses.withArgument(argument).size();
	}

	@BeforeEach
	void openTrial() {
		if (this.workspace == null) {
			throw new IllegalStateException("JUnit did not make a temporary directory");
		}
		this.trial = new Trial(createSandbox(), this.workspace, this::countProcesses);
	}

	@AfterEach
	void closeTrial() throws Exception {
		trial().close();
	}

	private Trial trial() {
		if (this.trial == null) {
			throw new IllegalStateException("The test has not begun");
		}
		return this.trial;
	}

	@Nested
	class Capabilities extends CapabilityScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

		@Override
		Set<SandboxCapability> required() {
			return requiredCapabilities();
		}

	}

	@Nested
	class Exits extends ExitScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class Endings extends EndingScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class Output extends OutputScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class Subscribers extends SubscriberScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class Trees extends TreeScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class ReadOnly extends ReadOnlyScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class Surroundings extends SurroundingsScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

		@Override
		Set<String> inherited() {
			return inheritedEnvironment();
		}

	}

	@Nested
	class Directories extends DirectoryScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class Refusals extends RefusalScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

	@Nested
	class SideBySide extends SideBySideScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

}

package io.kairo.api.sandbox.tck;

import java.io.IOException;
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
 * The contract of every sandbox as tests. A backend extends this class, creates the
 * sandbox and declares the capabilities that it must have where the tests run. Every
 * other capability that it claims is tested as well. For a capability that it does not
 * claim, the test expects a refusal with a reason; no test is skipped.
 * <p>
 * The commands of the tests require a POSIX shell and the usual programs of a Unix
 * system, including {@code setsid}, {@code mount} and {@code unshare} of util-linux.
 */
@Timeout(300)
public abstract class ExecutionSandboxContract {

	@TempDir
	@Nullable Path directory;

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
	 * Returns the capabilities that the sandbox has to enforce where the tests run, so
	 * that a backend without capabilities does not pass.
	 * @return the required capabilities, possibly empty
	 */
	protected abstract Set<SandboxCapability> requiredCapabilities();

	/**
	 * Returns the names of the environment variables that commands inherit from the JVM.
	 * @return {@code PATH}, {@code LANG} and {@code HOME} unless overridden
	 */
	protected Set<String> inheritedEnvironment() {
		return Set.of("PATH", "LANG", "HOME");
	}

	/**
	 * Returns whether the sandbox has to show the temporary files of a session to this
	 * machine. Overridden by a backend that does.
	 * @return false unless overridden
	 */
	protected boolean showsTemporaryFiles() {
		return false;
	}

	/**
	 * Returns the directories that the sandbox has to share among the commands of a
	 * session. Overridden by a backend that does.
	 * @return none unless overridden
	 */
	protected Set<String> sharedDirectories() {
		return Set.of();
	}

	/**
	 * Counts the live processes of sandboxes with an argument. Overridden by a backend
	 * whose processes do not run on this machine.
	 * @param argument a number that occurs in no other command line
	 * @return number of processes of this machine with the argument, unless overridden
	 */
	protected int countProcesses(String argument) {
		return HostProcesses.withArgument(argument).size();
	}

	/**
	 * Prepares a sandbox for a workspace before each test, since the test may bound the
	 * time of its commands. Overridden by a backend whose first command in a workspace
	 * takes much longer than the next ones.
	 * @param sandbox the sandbox to test
	 * @param workspace the workspace of the test, empty
	 */
	protected void prepare(ExecutionSandbox sandbox, Path workspace) {
	}

	/**
	 * Returns the workspace of a test. Overridden by a backend that keeps resources for a
	 * workspace that are too expensive to create for each test.
	 * @param temporary an empty directory of the test
	 * @return an empty directory, by default the directory of the test
	 * @throws IOException if the directory cannot be emptied
	 */
	protected Path workspace(Path temporary) throws IOException {
		return temporary;
	}

	@BeforeEach
	void openTrial() throws IOException {
		if (this.directory == null) {
			throw new IllegalStateException("JUnit did not create a temporary directory");
		}
		Path workspace = workspace(this.directory);
		ExecutionSandbox sandbox = createSandbox();
		this.trial = new Trial(sandbox, workspace, this::countProcesses);
		prepare(sandbox, workspace);
	}

	@AfterEach
	void closeTrial() throws Exception {
		trial().close();
	}

	private Trial trial() {
		if (this.trial == null) {
			throw new IllegalStateException("The test has not started");
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
	class Background extends BackgroundScenarios {

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
	class Network extends NetworkScenarios {

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

		@Override
		boolean showsTemporaryFiles() {
			return ExecutionSandboxContract.this.showsTemporaryFiles();
		}

		@Override
		Set<String> shared() {
			return sharedDirectories();
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

	@Nested
	class Usage extends UsageScenarios {

		@Override
		Trial trial() {
			return ExecutionSandboxContract.this.trial();
		}

	}

}

package io.kairo.test;

import io.kairo.api.workspace.WorkspaceFiles;
import org.assertj.core.api.Assertions;

/**
 * Entry point of the assertions on workspaces, calls and sandboxes, in addition to those
 * of AssertJ.
 */
public final class KairoAssertions extends Assertions {

	private KairoAssertions() {
	}

	/**
	 * Creates assertions on the files of a workspace.
	 * @param actual the files
	 * @return the assertions
	 */
	public static WorkspaceAssert assertThat(WorkspaceFiles actual) {
		return new WorkspaceAssert(actual);
	}

	/**
	 * Creates assertions on the files of the default workspace.
	 * @param actual the workspaces
	 * @return the assertions
	 */
	public static WorkspaceAssert assertThat(TestWorkspaces actual) {
		return new WorkspaceAssert(actual.files());
	}

	/**
	 * Creates assertions on recorded calls.
	 * @param actual the calls
	 * @return the assertions
	 */
	public static RecordedCallsAssert assertThat(RecordedCalls actual) {
		return new RecordedCallsAssert(actual);
	}

	/**
	 * Creates assertions on the commands of a fake sandbox.
	 * @param actual the sandbox
	 * @return the assertions
	 */
	public static FakeSandboxAssert assertThat(FakeSandbox actual) {
		return new FakeSandboxAssert(actual);
	}

}

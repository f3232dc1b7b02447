package io.kairo.sandbox.landlock;

import java.io.PrintWriter;
import java.util.Arrays;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * A program that runs test classes and prints what failed. Tests start it as another
 * user.
 */
final class TestProgram {

	private static final int MOST_LINES = 30;

	private TestProgram() {
	}

	public static void main(String[] args) {
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
			.selectors(Arrays.stream(args).map(DiscoverySelectors::selectClass).toList())
			.build();
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherFactory.create().execute(request, listener, new Progress());
		TestExecutionSummary summary = listener.getSummary();
		summary.printFailuresTo(new PrintWriter(System.out, true), MOST_LINES);
		System.out.println("failed: " + summary.getTotalFailureCount() + ", aborted: " + summary.getTestsAbortedCount()
				+ ", succeeded: " + summary.getTestsSucceededCount());
		System.exit(0);
	}

	/**
	 * Prints each test that fails, when it does.
	 */
	private static final class Progress implements TestExecutionListener {

		@Override
		public void executionFinished(TestIdentifier test, TestExecutionResult result) {
			result.getThrowable()
				.ifPresent((failure) -> System.out
					.println(result.getStatus() + " " + test.getDisplayName() + ": " + failure.getMessage()));
		}

	}

}

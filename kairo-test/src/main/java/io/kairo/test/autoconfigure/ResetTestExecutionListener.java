package io.kairo.test.autoconfigure;

import io.kairo.test.Resettable;
import io.kairo.tools.AgentSession;
import io.kairo.tools.AgentSessions;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/**
 * Ends the sessions and resets the fakes before each method of a test class with
 * {@link AutoConfigureKairo}, and before the methods that set it up.
 */
final class ResetTestExecutionListener implements TestExecutionListener {

	ResetTestExecutionListener() {
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		if (TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), AutoConfigureKairo.class)) {
			ApplicationContext context = test.getApplicationContext();
			context.getBeanProvider(AgentSessions.class)
				.forEach((sessions) -> sessions.list()
					.stream()
					.map(AgentSession::workspace)
					.forEach((workspace) -> sessions.endIn(workspace.id())));
			context.getBeanProvider(Resettable.class).forEach(Resettable::reset);
		}
	}

}

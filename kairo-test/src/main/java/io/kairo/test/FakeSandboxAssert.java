package io.kairo.test;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions on the commands of a fake sandbox.
 */
public final class FakeSandboxAssert extends AbstractAssert<FakeSandboxAssert, FakeSandbox> {

	FakeSandboxAssert(FakeSandbox actual) {
		super(actual, FakeSandboxAssert.class);
	}

	/**
	 * Verifies that exactly these commands were started, in this order.
	 * @param commands the commands
	 * @return this
	 */
	public FakeSandboxAssert ranExactly(String... commands) {
		isNotNull();
		Assertions.assertThat(this.actual.commands()).as("commands").containsExactly(commands);
		return this;
	}

	/**
	 * Verifies that these commands were started in this order, possibly with others
	 * before, between and after them.
	 * @param commands the commands
	 * @return this
	 */
	public FakeSandboxAssert ranInOrder(String... commands) {
		isNotNull();
		Assertions.assertThat(this.actual.commands()).as("commands").containsSubsequence(commands);
		return this;
	}

	/**
	 * Verifies that there was an answer to every command.
	 * @return this
	 */
	public FakeSandboxAssert answeredEverything() {
		isNotNull();
		Assertions.assertThat(this.actual.unanswered()).as("commands without an answer").isEmpty();
		return this;
	}

}

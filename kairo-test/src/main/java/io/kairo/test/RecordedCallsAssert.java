package io.kairo.test;

import java.util.List;
import java.util.Map;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions on recorded calls of tools.
 */
public final class RecordedCallsAssert extends AbstractAssert<RecordedCallsAssert, RecordedCalls> {

	RecordedCallsAssert(RecordedCalls actual) {
		super(actual, RecordedCallsAssert.class);
	}

	/**
	 * Verifies that exactly these tools were called, in this order.
	 * @param tools the names of the tools
	 * @return this
	 */
	public RecordedCallsAssert areExactly(String... tools) {
		Assertions.assertThat(tools()).as("%s", calls()).containsExactly(tools);
		return this;
	}

	/**
	 * Verifies that these tools were called in this order, possibly with other calls
	 * before, between and after them.
	 * @param tools the names of the tools
	 * @return this
	 */
	public RecordedCallsAssert areInOrder(String... tools) {
		Assertions.assertThat(tools()).as("%s", calls()).containsSubsequence(tools);
		return this;
	}

	/**
	 * Verifies that a tool was called with these arguments, possibly among others.
	 * @param tool the name of the tool
	 * @param arguments the arguments
	 * @return this
	 */
	public RecordedCallsAssert contain(String tool, Map<String, ?> arguments) {
		Assertions.assertThat(calls())
			.anySatisfy((call) -> Assertions.assertThat(call.tool())
				.isEqualTo(tool)
				.satisfies((name) -> Assertions.assertThat(call.arguments()).containsAllEntriesOf(arguments)));
		return this;
	}

	/**
	 * Verifies that a tool was not called.
	 * @param tool the name of the tool
	 * @return this
	 */
	public RecordedCallsAssert doNotContain(String tool) {
		Assertions.assertThat(tools()).as("%s", calls()).doesNotContain(tool);
		return this;
	}

	/**
	 * Verifies that no call failed.
	 * @return this
	 */
	public RecordedCallsAssert allSucceeded() {
		Assertions.assertThat(calls())
			.allSatisfy((call) -> Assertions.assertThat(call.result().error()).as("%s", call).isNull());
		return this;
	}

	private List<String> tools() {
		return calls().stream().map(RecordedCall::tool).toList();
	}

	private List<RecordedCall> calls() {
		isNotNull();
		return this.actual.all();
	}

}

package io.kairo.test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolRefusal;
import io.kairo.tools.ToolResult;

/**
 * The calls of tools in the order of their ends, including refused ones. As the first
 * interceptor of a catalog it records the results that callers receive. Safe for use by
 * several threads.
 */
public final class RecordedCalls implements ToolInterceptor, Resettable {

	private final List<RecordedCall> calls = new CopyOnWriteArrayList<>();

	/**
	 * Creates a record without calls.
	 */
	public RecordedCalls() {
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		ToolResult result = chain.proceed(call, context);
		this.calls.add(new RecordedCall(call.name(), call.arguments(), context.tenant(), context.sessionId(), result));
		return result;
	}

	@Override
	public void refused(ToolRefusal refusal) {
		this.calls.add(new RecordedCall(refusal.tool(), Map.of(), refusal.tenant(), refusal.sessionId(),
				ToolResult.failure(refusal.error())));
	}

	/**
	 * Returns the calls.
	 * @return a copy
	 */
	public List<RecordedCall> all() {
		return List.copyOf(this.calls);
	}

	/**
	 * Forgets all calls.
	 */
	@Override
	public void reset() {
		this.calls.clear();
	}

}

package io.kairo.autoconfigure.springai;

import java.util.function.Supplier;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import reactor.util.context.ContextView;

import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;

/**
 * Sets the thread-local variables from the context of the stream, and restores them
 * afterwards.
 */
final class ReactorStreamContext implements StreamContext {

	private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();

	ReactorStreamContext() {
	}

	@Override
	public String in(Supplier<String> call) {
		return in(ToolCallReactiveContextHolder.getContext(), call);
	}

	@Override
	public <T> T in(ContextView subscriber, Supplier<T> work) {
		try (ContextSnapshot.Scope scope = this.snapshots.setThreadLocalsFrom(subscriber)) {
			return work.get();
		}
	}

}

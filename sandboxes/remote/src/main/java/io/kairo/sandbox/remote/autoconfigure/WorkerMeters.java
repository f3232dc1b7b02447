package io.kairo.sandbox.remote.autoconfigure;

import java.net.URI;
import java.util.function.ToDoubleFunction;

import io.kairo.sandbox.remote.WorkerState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Registers whether the workers of a remote sandbox accept commands as
 * {@code kairo.sandbox.worker.up}, and their commands as
 * {@code kairo.sandbox.worker.commands}.
 */
final class WorkerMeters implements MeterBinder {

	private final RemoteWorkers workers;

	WorkerMeters(RemoteWorkers workers) {
		this.workers = workers;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		register(registry, "kairo.sandbox.worker.up", "Whether a worker accepts commands, 1 or 0",
				(state) -> (state.status() == WorkerState.Status.UP) ? 1 : 0);
		register(registry, "kairo.sandbox.worker.commands", "Commands that a worker runs or whose output it keeps",
				WorkerState::commands);
	}

	private void register(MeterRegistry registry, String name, String description,
			ToDoubleFunction<WorkerState> value) {
		for (WorkerState worker : this.workers.states()) {
			URI address = worker.address();
			Gauge
				.builder(name, this.workers,
						(known) -> known.states()
							.stream()
							.filter((state) -> state.address().equals(address))
							.mapToDouble(value)
							.max()
							.orElse(0))
				.description(description)
				.tag("worker", address.toString())
				.register(registry);
		}
	}

}

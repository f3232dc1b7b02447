package io.kairo.autoconfigure.observation;

import java.util.Locale;

import io.kairo.api.tenant.TenantContext;
import io.kairo.workspace.checkpoint.CheckpointListener;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Publishes the used share of what checkpoints keep as {@code kairo.tenant.limit}, and
 * the events of trials as {@code kairo.trials}.
 */
final class CheckpointMeters implements CheckpointListener {

	private final MeterRegistry registry;

	private final TenantTag tenantTag;

	private final KeptMeters kept;

	CheckpointMeters(MeterRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.kept = new KeptMeters(registry, tenantTag, "checkpoint-bytes");
	}

	@Override
	public void measured(TenantContext tenant, long bytes, long maxBytes) {
		this.kept.measured(tenant, bytes, maxBytes);
	}

	@Override
	public void trial(TenantContext tenant, TrialEvent event) {
		this.registry
			.counter("kairo.trials", "event", event.name().toLowerCase(Locale.ROOT), "tenant",
					this.tenantTag.value(tenant))
			.increment();
	}

}

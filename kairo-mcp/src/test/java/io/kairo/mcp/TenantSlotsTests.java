package io.kairo.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TenantSlots}.
 */
class TenantSlotsTests {

	private static List<TenantSlots.Slot> takeAll(TenantSlots slots, String tenant) {
		List<TenantSlots.Slot> taken = new ArrayList<>();
		for (TenantSlots.Slot slot = slots.take(tenant); slot != null; slot = slots.take(tenant)) {
			taken.add(slot);
		}
		return taken;
	}

	@ParameterizedTest
	@ValueSource(strings = { "requests", "streams" })
	void tenantsThatTakeAllTheyCanLeaveSomeToOthersByDefault(String kind) {
		McpProperties.Limits limits = new Binder(new MapConfigurationPropertySource(Map.of()))
			.bindOrCreate("kairo.mcp", McpProperties.class)
			.limits();
		TenantSlots slots = kind.equals("requests") ? new TenantSlots(limits.requests(), limits.requestsPerTenant())
				: new TenantSlots(limits.streams(), limits.streamsPerTenant());
		assertThat(takeAll(slots, "acme")).hasSizeGreaterThanOrEqualTo(50);
		assertThat(takeAll(slots, "globex")).hasSizeGreaterThanOrEqualTo(25);
		assertThat(takeAll(slots, "initech")).hasSizeGreaterThanOrEqualTo(10);
		assertThat(takeAll(slots, "hooli")).hasSizeGreaterThanOrEqualTo(5);
	}

	@Test
	void tenantsThatTakeTurnsHaveEqualShares() {
		TenantSlots slots = new TenantSlots(100, 50);
		int rounds = 0;
		while (slots.take("acme") != null && slots.take("globex") != null) {
			rounds++;
		}
		assertThat(rounds).isEqualTo(33);
	}

	@ParameterizedTest
	@CsvSource({ "100, 100, 100", "100, 50, 50", "100, 90, 90", "100, 20, 20", "11, 6, 6", "1, 1, 1", "4, 9, 4" })
	void tenantAloneHasItsShare(int maximum, int share, int expected) {
		assertThat(takeAll(new TenantSlots(maximum, share), "acme")).hasSize(expected);
	}

	@Test
	void slotIsFreeOnceAfterItsEnd() {
		TenantSlots slots = new TenantSlots(2, 1);
		TenantSlots.Slot slot = slots.take("acme");
		assertThat(slots.take("acme")).isNull();
		slot.close();
		slot.close();
		assertThat(takeAll(slots, "acme")).hasSize(1);
		assertThat(takeAll(slots, "globex")).hasSize(1);
	}

}

package io.kairo.mcp;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the checks of {@link McpSubscriptions}.
 */
class McpSubscriptionChecksTests {

	private static final int TENANTS = 20;

	private final CountDownLatch read = new CountDownLatch(1);

	private final AtomicInteger blocked = new AtomicInteger();

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	private boolean tell(String session, String uri) {
		if (!session.equals("quiet")) {
			this.blocked.incrementAndGet();
			try {
				assertThat(this.read.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		this.told.add(session);
		return true;
	}

	@Test
	void clientsThatDoNotReadDelayNoOtherTenant() {
		McpProperties.Resources bounds = new McpProperties.Resources(true, DataSize.ofMegabytes(1),
				Duration.ofMillis(10), 100, 1000);
		try (McpSubscriptions subscriptions = new McpSubscriptions(bounds, (owner, session, file) -> "changed",
				(session) -> true, this::tell)) {
			for (int i = 0; i < TENANTS; i++) {
				add(subscriptions, "tenant" + i, "session" + i);
			}
			await().until(() -> this.blocked.get() >= 4);
			add(subscriptions, "other", "quiet");
			await().until(() -> this.told.contains("quiet"));
			assertThat(this.told).containsExactly("quiet");
			this.read.countDown();
			await().until(() -> this.told.size() == TENANTS + 1);
		}
	}

	@Test
	void tenantThatSubscribesAnewHasNoFurtherThread() {
		McpProperties.Resources bounds = new McpProperties.Resources(true, DataSize.ofMegabytes(1),
				Duration.ofMillis(10), 100, 1000);
		try (McpSubscriptions subscriptions = new McpSubscriptions(bounds, (owner, session, file) -> "changed",
				(session) -> true, this::tell)) {
			TenantContext tenant = new TenantContext("tenant", "someone");
			add(subscriptions, "tenant", "session0");
			await().until(() -> this.blocked.get() == 1);
			for (int i = 1; i <= TENANTS; i++) {
				subscriptions.end(tenant, "session" + (i - 1));
				add(subscriptions, "tenant", "session" + i);
				add(subscriptions, "other" + i, "quiet");
				await().until(() -> this.told.remove("quiet"));
			}
			assertThat(this.blocked).hasValue(1);
			this.read.countDown();
			await().until(() -> this.told.contains("session" + TENANTS));
			subscriptions.end(tenant, "session" + TENANTS);
			for (int i = 1; i <= TENANTS; i++) {
				subscriptions.end(new TenantContext("other" + i, "someone"), "quiet");
			}
			assertThat(subscriptions.count()).isZero();
		}
	}

	private static void add(McpSubscriptions subscriptions, String tenant, String session) {
		subscriptions.add(new TenantContext(tenant, "someone"), session, "kairo://workspace/a.txt",
				new McpFileUri("a.txt"), "as subscribed");
	}

}

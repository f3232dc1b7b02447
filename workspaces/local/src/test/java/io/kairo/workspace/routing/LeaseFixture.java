package io.kairo.workspace.routing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@link RoutingWorkspaceProvider} over workspaces in memory and those of a test, with
 * a clock controlled by the test.
 */
final class LeaseFixture {

	private final AtomicLong time = new AtomicLong();

	private final InMemoryWorkspaceProvider memory = new InMemoryWorkspaceProvider();

	private final List<String> events = new CopyOnWriteArrayList<>();

	InMemoryWorkspaceProvider memory() {
		return this.memory;
	}

	/**
	 * Returns the calls of listeners so far.
	 */
	List<String> events() {
		return this.events;
	}

	void pass(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

	RoutingWorkspaceProvider router(LeaseBounds bounds) {
		return router(bounds, this.memory);
	}

	RoutingWorkspaceProvider router(LeaseBounds bounds, WorkspaceProvider fresh) {
		return new RoutingWorkspaceProvider("memory", registrations(fresh), List.of(recording()), bounds,
				this.time::get);
	}

	List<WorkspaceProviderRegistration> registrations(WorkspaceProvider fresh) {
		return List.of(new WorkspaceProviderRegistration("memory", this.memory, this.memory),
				new WorkspaceProviderRegistration("fresh", fresh, this.memory));
	}

	WorkspaceListener recording() {
		return new Recording();
	}

	static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private final class Recording implements WorkspaceListener {

		@Override
		public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
			LeaseFixture.this.events.add("acquired " + workspace.id());
		}

		@Override
		public void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
			LeaseFixture.this.events.add("refused " + request.hint());
		}

		@Override
		public void released(Workspace workspace, TenantContext tenant, int remaining) {
			LeaseFixture.this.events.add("released " + workspace.id() + " " + remaining);
		}

	}

	record NamedWorkspace(String id) implements Workspace {

		@Override
		public Path root() {
			return Path.of("/nowhere").toAbsolutePath();
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.EPHEMERAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}

package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WorkspaceListeners}.
 */
@Timeout(60)
class WorkspaceListenersTests {

	private final LeaseFixture fixture = new LeaseFixture();

	@Test
	void failingListenerAffectsNeitherCallerNorOtherListeners() {
		RoutingWorkspaceProvider router = new RoutingWorkspaceProvider("memory",
				this.fixture.registrations(new Failing()), List.of(new FailingListener(), this.fixture.recording()),
				LeaseBounds.UNBOUNDED);
		Workspace workspace = router.acquire(WorkspaceRequest.writable("memory:a"));
		assertThat(router.leases()).hasSize(1);
		router.release(workspace.id());
		assertThat(router.leases()).isEmpty();
		assertThatExceptionOfType(WorkspaceException.class)
			.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("fresh:x")))
			.withMessage("No");
		assertThat(this.fixture.events()).containsExactly("acquired memory:a", "released memory:a 0",
				"refused fresh:x");
	}

	@Test
	void errorOfListenerLeaksNoWorkspace() {
		RoutingWorkspaceProvider router = new RoutingWorkspaceProvider("memory",
				this.fixture.registrations(new Failing()), List.of(new WorkspaceListener() {

					@Override
					public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
						throw new NoClassDefFoundError("io/micrometer/Gone");
					}

					@Override
					public void released(Workspace workspace, TenantContext tenant, int remaining) {
						throw new AssertionError("listener");
					}

				}, this.fixture.recording()), LeaseBounds.UNBOUNDED);
		Workspace workspace = router.acquire(WorkspaceRequest.writable("memory:a"));
		router.release(workspace.id());
		assertThat(router.leases()).isEmpty();
		assertThat(this.fixture.events()).containsExactly("acquired memory:a", "released memory:a 0");
	}

	@Test
	void listenersAreNotifiedOfFailedRelease() {
		RoutingWorkspaceProvider router = this.fixture.router(LeaseBounds.UNBOUNDED, new Failing() {

			@Override
			public Workspace acquire(WorkspaceRequest request) {
				return new LeaseFixture.NamedWorkspace("fresh:x");
			}

		});
		router.acquire(WorkspaceRequest.writable("fresh:x"));
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> router.release("fresh:x"));
		assertThat(this.fixture.events()).containsExactly("acquired fresh:x", "released fresh:x 0");
		assertThat(router.leases()).isEmpty();
	}

	private static class Failing implements WorkspaceProvider {

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "No", null);
		}

		@Override
		public void release(String workspaceId) {
			throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "No", null);
		}

	}

	private static final class FailingListener implements WorkspaceListener {

		@Override
		public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
			throw new IllegalStateException("listener");
		}

		@Override
		public void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
			throw new IllegalStateException("listener");
		}

		@Override
		public void released(Workspace workspace, TenantContext tenant, int remaining) {
			throw new IllegalStateException("listener");
		}

	}

}

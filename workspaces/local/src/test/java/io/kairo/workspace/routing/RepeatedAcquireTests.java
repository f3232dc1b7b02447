package io.kairo.workspace.routing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a call of a provider that is repeated, because the workspace that it returned
 * was released at the provider while it ran.
 */
class RepeatedAcquireTests {

	private final Script script = new Script();

	private final RoutingWorkspaceProvider router;

	RepeatedAcquireTests() {
		RouterFixture fixture = new RouterFixture();
		this.router = fixture.router("script", fixture.registration("script", this.script));
	}

	@Test
	void sameWorkspaceIsReleasedAsOftenAsAcquired() throws Exception {
		assertThat(acquireDuringRelease(() -> new LeaseFixture.NamedWorkspace("w"))).containsExactly("w");
		assertThat(this.script.calls).as("no release that another call could miss")
			.containsExactly("acquire w", "acquire w", "release w", "acquire w");
		this.router.release("w");
		assertThat(this.script.calls).endsWith("acquire w", "release w", "release w");
	}

	@Test
	void otherWorkspaceIsReturnedAndFirstOneReleased() throws Exception {
		assertThat(acquireDuringRelease(() -> new LeaseFixture.NamedWorkspace("other"))).containsExactly("other");
		assertThat(this.script.calls).endsWith("acquire other", "release w");
		this.router.release("other");
		assertThat(this.script.calls).endsWith("release w", "release other");
	}

	@Test
	void workspaceIsReleasedIfRepetitionFails() throws Exception {
		assertThat(acquireDuringRelease(() -> {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "Gone", null);
		})).containsExactly("Gone");
		assertThat(this.script.calls).endsWith("acquire w", "release w", "release w");
		assertThat(this.router.leases()).isEmpty();
	}

	@Test
	void failureToReleaseFirstWorkspaceKeepsSecondOne() throws Exception {
		this.script.failingRelease = 2;
		assertThat(acquireDuringRelease(() -> new LeaseFixture.NamedWorkspace("other"))).containsExactly("other");
		assertThat(this.router.leases()).singleElement()
			.satisfies((lease) -> assertThat(lease.workspace().id()).isEqualTo("other"));
	}

	/**
	 * Acquires a workspace while the last lease of the same workspace ends.
	 * @param repetition the result of the repeated call
	 * @return the id of the workspace, or the message of the failure
	 */
	private List<String> acquireDuringRelease(Supplier<Workspace> repetition) throws Exception {
		this.script.repetition = repetition;
		String id = this.router.acquire(WorkspaceRequest.writable("first")).id();
		List<String> results = new CopyOnWriteArrayList<>();
		Thread thread = new Thread(() -> results.add(idOrFailure()));
		thread.start();
		LeaseFixture.await(this.script.called);
		this.router.release(id);
		this.script.mayReturn.countDown();
		thread.join();
		return results;
	}

	private String idOrFailure() {
		try {
			return this.router.acquire(WorkspaceRequest.writable("second")).id();
		}
		catch (WorkspaceException ex) {
			return ex.getMessage();
		}
	}

	/**
	 * A provider whose second call waits before it returns.
	 */
	private static final class Script implements WorkspaceProvider {

		final CountDownLatch called = new CountDownLatch(1);

		final CountDownLatch mayReturn = new CountDownLatch(1);

		final List<String> calls = new CopyOnWriteArrayList<>();

		volatile Supplier<Workspace> repetition = () -> new LeaseFixture.NamedWorkspace("w");

		volatile int failingRelease;

		private int acquired;

		private int released;

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			this.acquired++;
			Workspace workspace = (this.acquired > 2) ? this.repetition.get() : new LeaseFixture.NamedWorkspace("w");
			this.calls.add("acquire " + workspace.id());
			if (this.acquired == 2) {
				this.called.countDown();
				LeaseFixture.await(this.mayReturn);
			}
			return workspace;
		}

		@Override
		public void release(String workspaceId) {
			this.calls.add("release " + workspaceId);
			if (++this.released == this.failingRelease) {
				throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "Failed", null);
			}
		}

	}

}

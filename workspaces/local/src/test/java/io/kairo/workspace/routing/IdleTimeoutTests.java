package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the idle time-out of a {@link RoutingWorkspaceProvider}.
 */
@Timeout(60)
class IdleTimeoutTests {

	private final LeaseFixture fixture = new LeaseFixture();

	private final RoutingWorkspaceProvider router = this.fixture
		.router(new LeaseBounds(Duration.ofHours(1), (tenant) -> 100, Duration.ofHours(1)));

	@Test
	void idleWorkspaceIsReleased() {
		Workspace workspace = this.router.acquire(WorkspaceRequest.writable("memory:a"));
		this.router.acquire(WorkspaceRequest.writable("memory:a"));
		this.fixture.pass(Duration.ofMinutes(59));
		assertThat(this.router.releaseIdle()).isEmpty();
		this.fixture.pass(Duration.ofMinutes(1));
		assertThat(this.router.releaseIdle()).singleElement().satisfies((lease) -> {
			assertThat(lease.workspace()).isEqualTo(workspace);
			assertThat(lease.holders()).isEqualTo(2);
		});
		assertThat(this.router.leases()).isEmpty();
		assertThat(this.fixture.events()).containsExactly("acquired memory:a", "acquired memory:a",
				"released memory:a 1", "released memory:a 0");
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> this.router.files().open(workspace));
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> this.fixture.memory().open(workspace));
		this.router.release(workspace.id());
		assertThat(this.fixture.events()).hasSize(4);
	}

	@Test
	void useRestartsIdleTimeout() {
		Workspace workspace = this.router.acquire(WorkspaceRequest.writable("memory:a"));
		this.fixture.pass(Duration.ofMinutes(59));
		WorkspaceFiles files = this.router.files().open(workspace);
		this.fixture.pass(Duration.ofMinutes(59));
		assertThat(files.tryWriteFile("a", "x").isOk()).isTrue();
		this.fixture.pass(Duration.ofMinutes(59));
		assertThat(this.router.releaseIdle()).isEmpty();
		assertThat(files.tryReadFile("a").isOk()).isTrue();
		this.fixture.pass(Duration.ofMinutes(59));
		assertThat(this.router.releaseIdle()).isEmpty();
		this.router.acquire(WorkspaceRequest.writable("memory:a"));
		this.fixture.pass(Duration.ofMinutes(59));
		assertThat(this.router.releaseIdle()).isEmpty();
		this.fixture.pass(Duration.ofMinutes(1));
		assertThat(this.router.releaseIdle()).hasSize(1);
	}

	@Test
	void workspaceIsNotReleasedDuringOperationOnItsFiles() {
		Workspace workspace = this.router.acquire(WorkspaceRequest.writable("memory:a"));
		WorkspaceFiles files = this.router.files().open(workspace);
		files.tryWriteFile("a", "x");
		AtomicInteger released = new AtomicInteger(-1);
		files.walk(files.root(), new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				return Next.CONTINUE;
			}

			@Override
			public Next file(Entry entry) {
				IdleTimeoutTests.this.fixture.pass(Duration.ofHours(3));
				released.set(IdleTimeoutTests.this.router.releaseIdle().size());
				return Next.CONTINUE;
			}

		});
		assertThat(released).hasValue(0);
		this.fixture.pass(Duration.ofHours(1));
		assertThat(this.router.releaseIdle()).hasSize(1);
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> files.fileExists("a"))
			.withMessageContaining("released by the idle timeout");
	}

	@Test
	void otherIdleWorkspacesAreReleasedIfProviderThrowsError() {
		RoutingWorkspaceProvider failing = this.fixture.router(
				new LeaseBounds(Duration.ofHours(1), (tenant) -> 100, Duration.ofHours(1)), new WorkspaceProvider() {

					@Override
					public Workspace acquire(WorkspaceRequest request) {
						return new LeaseFixture.NamedWorkspace(String.valueOf(request.hint()));
					}

					@Override
					public void release(String workspaceId) {
						throw new NoClassDefFoundError("org/eclipse/Gone");
					}

				});
		List<String> hints = List.of("fresh:a", "memory:a", "fresh:b", "memory:b");
		hints.forEach((hint) -> failing.acquire(WorkspaceRequest.writable(hint)));
		this.fixture.pass(Duration.ofHours(1));
		assertThat(failing.releaseIdle()).hasSize(4);
		assertThat(this.fixture.events()).contains("released memory:a 0", "released memory:b 0");
		// nobody waits for an end that never comes
		hints.forEach((hint) -> failing.acquire(WorkspaceRequest.writable(hint)));
		assertThat(failing.leases()).hasSize(4);
	}

	@Test
	void veryLongIdleTimeoutNeverExpires() {
		RoutingWorkspaceProvider patient = this.fixture
			.router(new LeaseBounds(Duration.ofSeconds(Long.MAX_VALUE), (tenant) -> 100, Duration.ofHours(1)));
		patient.acquire(WorkspaceRequest.writable("memory:a"));
		this.fixture.pass(Duration.ofDays(36_500));
		assertThat(patient.releaseIdle()).isEmpty();
	}

	@Test
	void keepingProviderHasNoIdleTimeout() {
		Workspace kept = this.router.keeping().acquire(WorkspaceRequest.writable("memory:a"));
		this.router.acquire(WorkspaceRequest.writable("memory:a"));
		this.fixture.pass(Duration.ofHours(9));
		assertThat(this.router.releaseIdle()).isEmpty();
		this.router.keeping().release(kept.id());
		assertThat(this.router.releaseIdle()).hasSize(1);
	}

	@Test
	void releaseEndsLeaseOfItsOwnModeOnly() {
		Workspace kept = this.router.keeping().acquire(WorkspaceRequest.writable("memory:a"));
		this.router.release(kept.id());
		assertThat(this.router.leases()).singleElement().satisfies((lease) -> assertThat(lease.holders()).isEqualTo(1));
		this.router.keeping().release(kept.id());
		assertThat(this.router.leases()).isEmpty();
	}

}

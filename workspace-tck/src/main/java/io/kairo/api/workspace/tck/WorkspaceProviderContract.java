package io.kairo.api.workspace.tck;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What every {@link WorkspaceProvider} does, whatever it makes workspaces of. A provider
 * extends this class in its own tests and passes all of it: where providers legitimately
 * differ, a method here says how this one does.
 *
 * @since 0.1.0
 */
public abstract class WorkspaceProviderContract {

	private static final TenantContext OTHER_TENANT = new TenantContext("acme", "ann");

	/** The provider under test. */
	private WorkspaceProvider provider;

	/**
	 * Creates the contract.
	 */
	protected WorkspaceProviderContract() {
	}

	/**
	 * Makes a provider.
	 * @return a provider of its own that has made no workspace yet
	 * @throws Exception if the provider cannot be prepared, which fails the test
	 */
	protected abstract WorkspaceProvider createProvider() throws Exception;

	/**
	 * Returns hints of different workspaces.
	 * @return at least two, or null among them if no hint will do
	 */
	protected abstract List<@Nullable String> hints();

	/**
	 * Returns hints that name nothing this provider can make a workspace of.
	 * @return at least one
	 */
	protected abstract List<String> badHints();

	/**
	 * Returns whether each acquire makes another workspace, even for the same hint.
	 * @return false where the same request leads to the same workspace until it is
	 * released
	 */
	protected boolean freshForEachAcquire() {
		return false;
	}

	@BeforeEach
	void prepareProvider() throws Exception {
		this.provider = createProvider();
		assertThat(hints()).as("hints for the test").hasSizeGreaterThan(1);
		assertThat(badHints()).as("bad hints for the test").isNotEmpty();
	}

	private @Nullable String hint() {
		return hints().get(0);
	}

	private Workspace acquire(@Nullable String hint) {
		return this.provider.acquire(WorkspaceRequest.writable(hint));
	}

	@Test
	void makesAWorkspaceThatSaysWhatItIs() {
		for (String hint : hints()) {
			Workspace workspace = acquire(hint);
			assertThat(workspace.id()).isNotBlank();
			assertThat(workspace.kind()).isNotNull();
			assertThat(workspace.writable()).isTrue();
			assertThat(workspace.root()).isAbsolute().isEqualTo(workspace.root().normalize());
			assertThat(workspace.roots()).doesNotHaveDuplicates().allMatch(Path::isAbsolute);
			assertThat(workspace.roots().get(0)).isEqualTo(workspace.root());
			assertThatThrownBy(() -> workspace.metadata().put("x", "y"))
				.isInstanceOf(UnsupportedOperationException.class);
		}
	}

	@Test
	void saysTheSameEachTime() {
		Workspace workspace = acquire(hint());
		assertThat(workspace.id()).isEqualTo(workspace.id());
		assertThat(workspace.root()).isEqualTo(workspace.root());
		assertThat(workspace.metadata()).isEqualTo(workspace.metadata());
	}

	@Test
	void theSameRequestLeadsToTheSameWorkspace() {
		Workspace first = acquire(hint());
		Workspace second = acquire(hint());
		assertThat(second.id().equals(first.id())).isEqualTo(!freshForEachAcquire());
		assertThat(second.root().equals(first.root())).isEqualTo(!freshForEachAcquire());
	}

	@Test
	void principalsOfOneTenantShareAWorkspace() {
		Workspace ann = this.provider.acquire(new WorkspaceRequest(hint(), OTHER_TENANT, true));
		Workspace bob = this.provider.acquire(new WorkspaceRequest(hint(), new TenantContext("acme", "bob"), true));
		assertThat(bob.id().equals(ann.id())).isEqualTo(!freshForEachAcquire());
	}

	@Test
	void hintsTenantsAndAccessHaveIdsOfTheirOwn() {
		Set<String> ids = new TreeSet<>();
		for (String hint : hints()) {
			for (TenantContext tenant : List.of(TenantContext.SINGLE, OTHER_TENANT, new TenantContext("ro", "ann"),
					new TenantContext("#ro", "ann"), new TenantContext("acme#ro", "ann"),
					new TenantContext("../acme", "ann"))) {
				ids.add(this.provider.acquire(new WorkspaceRequest(hint, tenant, true)).id());
				ids.add(this.provider.acquire(new WorkspaceRequest(hint, tenant, false)).id());
			}
		}
		assertThat(ids).hasSize(hints().size() * 6 * 2);
	}

	@Test
	void whoOnlyReadsGetsAWorkspaceThatSaysSo() {
		assertThat(this.provider.acquire(WorkspaceRequest.readOnly(hint())).writable()).isFalse();
		assertThat(acquire(hint()).writable()).isTrue();
	}

	@Test
	void aBadHintIsTheCallersMistake() {
		for (String hint : badHints()) {
			assertThatExceptionOfType(WorkspacePathException.class).as(hint)
				.isThrownBy(() -> acquire(hint))
				.satisfies((ex) -> assertThat(ex.code()).isNotNull())
				.satisfies((ex) -> assertThat(ex.getMessage()).isNotBlank().doesNotContain("\0"));
		}
	}

	@Test
	void releasingWhatIsNotThereIsIgnored() {
		Workspace workspace = acquire(hint());
		assertThatCode(() -> {
			this.provider.release(null);
			this.provider.release("");
			this.provider.release("nobody:made-this");
			this.provider.release(workspace.id());
			this.provider.release(workspace.id());
		}).doesNotThrowAnyException();
	}

	@Test
	void aReleasedWorkspaceCanBeAcquiredAgain() {
		Workspace first = acquire(hint());
		this.provider.release(first.id());
		Workspace again = acquire(hint());
		assertThat(again.id().equals(first.id())).isEqualTo(!freshForEachAcquire());
		assertThat(again.writable()).isTrue();
	}

	@Test
	void manyThreadsGetTheSameWorkspace() throws Exception {
		Set<String> ids = new ConcurrentSkipListSet<>();
		List<Integer> acquired = Race.run((number, barrier) -> {
			barrier.await();
			for (int i = 0; i < 20; i++) {
				ids.add(acquire(hint()).id());
			}
			return 20;
		});
		assertThat(ids).hasSize(freshForEachAcquire() ? 20 * acquired.size() : 1);
	}

	@Test
	void manyThreadsAcquireAndRelease() throws Exception {
		List<Integer> done = Race.run((number, barrier) -> {
			barrier.await();
			for (int i = 0; i < 50; i++) {
				Workspace workspace = acquire(hints().get((number + i) % 2));
				assertThat(workspace.root()).isAbsolute();
				this.provider.release(workspace.id());
			}
			return 50;
		});
		assertThat(done).hasSize(Race.THREADS).containsOnly(50);
		assertThat(acquire(hint()).id()).isNotBlank();
	}

}

package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The contract of {@link WorkspaceProvider} as tests. A provider extends this class in
 * its own tests and must pass all tests. Where providers may legitimately differ, a
 * method declares the behaviour of the provider.
 */
public abstract class WorkspaceProviderContract {

	private static final TenantContext OTHER_TENANT = new TenantContext("acme", "ann");

	private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]+");

	/** Length of the part of a long name that a message must show. */
	private static final int SHOWN_CHARACTERS = 20;

	/** The provider under test. */
	private WorkspaceProvider provider;

	/**
	 * Creates the contract.
	 */
	protected WorkspaceProviderContract() {
	}

	/**
	 * Creates a provider.
	 * @return a separate provider without workspaces
	 * @throws Exception if the provider cannot be prepared; this fails the test
	 */
	protected abstract WorkspaceProvider createProvider() throws Exception;

	/**
	 * Returns hints of different workspaces.
	 * @return at least two hints; one may be null for no hint
	 */
	protected abstract List<@Nullable String> hints();

	/**
	 * Returns hints that do not name a workspace of this provider.
	 * @return at least one hint
	 */
	protected abstract List<String> badHints();

	/**
	 * Returns whether each acquire creates another workspace, even for the same hint.
	 * @return false if equal requests return the same workspace until it is released
	 */
	protected boolean freshForEachAcquire() {
		return false;
	}

	/**
	 * Returns hints that are refused, with the code of the failure, including failures
	 * that are not a mistake of the caller.
	 * @return the codes by hint, empty by default
	 */
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of();
	}

	/**
	 * Returns a hint with a name that no workspace has.
	 * @param name any text, even one that cannot be a name
	 * @return the hint, or null if hints contain no names
	 */
	protected @Nullable String hintFor(String name) {
		return name;
	}

	/**
	 * Returns whether hints may denote any directory of this machine.
	 * @return false if a name that points upwards is refused, whether or not the
	 * directory exists
	 */
	protected boolean hintsLeadAnywhere() {
		return false;
	}

	/**
	 * Creates the targets of names that point upwards: directories that must not become
	 * workspaces.
	 * @param name the name of a directory, to be created beside the base directory of
	 * names in hints, and beside the directory above
	 * @throws Exception if they cannot be prepared; this fails the test
	 */
	protected void createOutside(String name) throws Exception {
	}

	/**
	 * Returns hints of existing directories that the operating system denies access to.
	 * May abort the test with a reason if access is never denied, as for the superuser.
	 * @return the hints, empty by default
	 * @throws Exception if they cannot be prepared; this fails the test
	 */
	protected List<String> deniedHints() throws Exception {
		return List.of();
	}

	/**
	 * Returns the part of a hint that must be in the message of its refusal.
	 * @param hint the hint
	 * @return by default the end of its last name
	 */
	protected String shownOf(String hint) {
		String shown = "";
		for (Matcher names = NAME.matcher(hint); names.find();) {
			shown = names.group();
		}
		return shown.substring(Math.max(0, shown.length() - SHOWN_CHARACTERS));
	}

	/**
	 * Returns whether the root of a workspace on disk exists as soon as it is acquired.
	 * @return false if the first change creates it
	 */
	protected boolean rootsExist() {
		return true;
	}

	/**
	 * Returns the directories that a provider creates files of its own in, to check that
	 * none is left.
	 * @return the directories; they need not exist; empty by default
	 */
	protected List<Path> places() {
		return List.of();
	}

	/**
	 * Returns the class that creates the provider on a disk that is going to be full.
	 * @return the class, null for a provider that does not write to a disk of this
	 * machine
	 */
	protected @Nullable Class<? extends FullDiskTrial> fullDiskTrial() {
		return null;
	}

	/**
	 * Returns the arguments for {@link #fullDiskTrial()}.
	 * @return the arguments, empty by default
	 * @throws Exception if they cannot be prepared; this fails the test
	 */
	protected List<String> fullDiskArguments() throws Exception {
		return List.of();
	}

	@BeforeEach
	void prepareProvider() throws Exception {
		this.provider = createProvider();
		assertThat(hints()).as("hints for the test").hasSizeGreaterThan(1);
		assertThat(badHints()).as("bad hints for the test").isNotEmpty();
	}

	WorkspaceProvider provider() {
		return this.provider;
	}

	private @Nullable String hint() {
		return hints().get(0);
	}

	/**
	 * Returns all entries of the directories of the provider.
	 */
	Set<String> snapshot() {
		Set<String> found = new TreeSet<>();
		for (Path place : places()) {
			if (Files.exists(place)) {
				try (Stream<Path> below = Files.walk(place)) {
					below.map(Path::toString).forEach(found::add);
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
		}
		return found;
	}

	Workspace acquire(@Nullable String hint) {
		return this.provider.acquire(WorkspaceRequest.writable(hint));
	}

	@Test
	void acquiredWorkspaceHasCompleteAttributes() {
		for (String hint : hints()) {
			Workspace workspace = acquire(hint);
			assertThat(workspace.id()).isNotBlank();
			assertThat(workspace.kind()).isNotNull();
			assertThat(workspace.writable()).isTrue();
			assertThat(workspace.root()).isAbsolute().isEqualTo(workspace.root().normalize());
			assertThat(workspace.roots()).doesNotHaveDuplicates().allMatch(Path::isAbsolute);
			assertThat(workspace.roots().get(0)).isEqualTo(workspace.root());
			assertThat(workspace.roots()).containsAll(workspace.rootAliases().values());
			assertThat(workspace.rootAliases().keySet()).allMatch(Path::isAbsolute)
				.noneMatch((alias) -> workspace.roots().stream().anyMatch(alias::startsWith));
			assertThatThrownBy(() -> workspace.metadata().put("x", "y"))
				.isInstanceOf(UnsupportedOperationException.class);
		}
	}

	@Test
	void attributesOfWorkspaceAreStable() {
		Workspace workspace = acquire(hint());
		assertThat(workspace.id()).isEqualTo(workspace.id());
		assertThat(workspace.root()).isEqualTo(workspace.root());
		assertThat(workspace.metadata()).isEqualTo(workspace.metadata());
	}

	@Test
	void equalRequestsReturnSameWorkspaceUnlessAlwaysFresh() {
		Workspace first = acquire(hint());
		Workspace second = acquire(hint());
		assertThat(second.id().equals(first.id())).isEqualTo(!freshForEachAcquire());
		assertThat(second.root().equals(first.root())).isEqualTo(!freshForEachAcquire());
	}

	@Test
	void principalsOfSameTenantShareWorkspace() {
		Workspace ann = this.provider.acquire(new WorkspaceRequest(hint(), OTHER_TENANT, true));
		Workspace bob = this.provider.acquire(new WorkspaceRequest(hint(), new TenantContext("acme", "bob"), true));
		assertThat(bob.id().equals(ann.id())).isEqualTo(!freshForEachAcquire());
	}

	@Test
	void idsDifferByHintTenantAndAccess() {
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
	void readOnlyRequestReturnsReadOnlyWorkspace() {
		assertThat(this.provider.acquire(WorkspaceRequest.readOnly(hint())).writable()).isFalse();
		assertThat(acquire(hint()).writable()).isTrue();
	}

	@Test
	void releasedWorkspaceCanBeAcquiredAgain() {
		Workspace first = acquire(hint());
		this.provider.release(first.id());
		Workspace again = acquire(hint());
		assertThat(again.id().equals(first.id())).isEqualTo(!freshForEachAcquire());
		assertThat(again.writable()).isTrue();
	}

	@Test
	void concurrentRequestsReturnSameWorkspaceUnlessAlwaysFresh() throws Exception {
		Set<String> ids = new ConcurrentSkipListSet<>();
		int rounds = freshForEachAcquire() ? 5 : 20;
		List<Integer> acquired = Race.run((number, barrier) -> {
			barrier.await();
			for (int i = 0; i < rounds; i++) {
				ids.add(acquire(hint()).id());
			}
			return rounds;
		});
		assertThat(ids).hasSize(freshForEachAcquire() ? rounds * acquired.size() : 1);
	}

	@Nested
	class BadHints extends BadHintContract {

		BadHints() {
			super(WorkspaceProviderContract.this);
		}

	}

	@Nested
	class FullDisks extends FullDiskContract {

		FullDisks() {
			super(WorkspaceProviderContract.this);
		}

	}

	@Nested
	class Lifetimes extends LifetimeContract {

		Lifetimes() {
			super(WorkspaceProviderContract.this);
		}

	}

}

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
 * What every {@link WorkspaceProvider} does, whatever it makes workspaces of. A provider
 * extends this class in its own tests and passes all of it: where providers legitimately
 * differ, a method here says how this one does.
 *
 * @since 0.1.0
 */
public abstract class WorkspaceProviderContract {

	private static final TenantContext OTHER_TENANT = new TenantContext("acme", "ann");

	private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]+");

	/** How much of a long name a message has to show. */
	private static final int SHOWN_CHARACTERS = 20;

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

	/**
	 * Returns hints that are refused, with the code that says why: also those that are no
	 * mistake of the caller, but something that failed.
	 * @return the code by hint, none unless a provider says so
	 */
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of();
	}

	/**
	 * Returns the hint that has a name where this provider takes names, to which nothing
	 * belongs.
	 * @param name any text, also one that cannot be a name
	 * @return the hint, or null if hints hold no names
	 */
	protected @Nullable String hintFor(String name) {
		return name;
	}

	/**
	 * Returns whether hints may lead to whatever directory of this machine.
	 * @return false where a name that leads upwards is refused, whether something is
	 * there or not
	 */
	protected boolean hintsLeadAnywhere() {
		return false;
	}

	/**
	 * Makes what names that lead upwards lead to, if they lead anywhere: directories that
	 * a provider must not make a workspace of.
	 * @param name the name of a directory, to be made beside the directory that names in
	 * hints start from, and beside the one above
	 * @throws Exception if they cannot be prepared, which fails the test
	 */
	protected void createOutside(String name) throws Exception {
	}

	/**
	 * Returns hints of what is there but denied by the operating system. May abort the
	 * test with the reason where nothing is denied, as to the superuser.
	 * @return the hints, none unless a provider says so
	 * @throws Exception if they cannot be prepared, which fails the test
	 */
	protected List<String> deniedHints() throws Exception {
		return List.of();
	}

	/**
	 * Returns what must be seen of a hint in the message that refuses it.
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
	 * Returns whether the root of a workspace on the disk exists as soon as it is
	 * acquired.
	 * @return false where the first change makes it
	 */
	protected boolean rootsExist() {
		return true;
	}

	/**
	 * Returns the directories in which a provider makes something of its own, to see that
	 * nothing stays there.
	 * @return the directories, which need not exist; none unless a provider says so
	 */
	protected List<Path> places() {
		return List.of();
	}

	/**
	 * Returns what makes the provider on a disk that is going to be full.
	 * @return the class, null for a provider that writes to no disk of this machine
	 */
	protected @Nullable Class<? extends FullDiskTrial> fullDiskTrial() {
		return null;
	}

	/**
	 * Returns what {@link #fullDiskTrial()} has to know.
	 * @return the arguments, none unless a provider says so
	 * @throws Exception if they cannot be prepared, which fails the test
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
	 * Returns everything that is in the places of the provider.
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

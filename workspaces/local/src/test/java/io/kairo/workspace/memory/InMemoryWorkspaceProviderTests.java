package io.kairo.workspace.memory;

import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InMemoryWorkspaceProvider}.
 */
class InMemoryWorkspaceProviderTests extends WorkspaceProviderContract {

	private final InMemoryWorkspaceProvider provider = new InMemoryWorkspaceProvider();

	@Override
	protected WorkspaceProvider createProvider() {
		return new InMemoryWorkspaceProvider();
	}

	@Override
	protected List<@Nullable String> hints() {
		return List.of("memory:one", "two");
	}

	@Override
	protected List<String> badHints() {
		return List.of("memory:a/b", "git:one", "memory:..", "memory:a\0b", "memory:" + "n".repeat(101), "a b");
	}

	@Override
	protected String hintFor(String name) {
		return "memory:" + name;
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of("memory:a/b", WorkspaceErrorCode.INVALID_PATH, "..", WorkspaceErrorCode.INVALID_PATH);
	}

	private Workspace acquire(String hint) {
		return this.provider.acquire(WorkspaceRequest.writable(hint));
	}

	private Workspace acquire(String hint, String tenant, boolean writable) {
		return this.provider.acquire(new WorkspaceRequest(hint, new TenantContext(tenant, "ann"), writable));
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " ", "memory:", "default", "memory:default" })
	void missingHintDenotesTheDefault(String hint) {
		Workspace workspace = acquire(hint);
		assertThat(workspace.id()).isEqualTo("memory:default");
		assertThat(workspace.root().toString()).endsWith("default");
		assertThat(workspace.kind()).isEqualTo(WorkspaceKind.EPHEMERAL);
		assertThat(workspace.onDisk()).isFalse();
		assertThat(workspace.metadata()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "default, true, memory:a", "default, false, memory:a#ro", "acme, true, memory:a#acme",
			"acme, false, memory:a#acme#ro", "ro, true, memory:a#%72o" })
	void idsContainTenantAndAccess(String tenant, boolean writable, String id) {
		assertThat(acquire("a", tenant, writable).id()).isEqualTo(id);
	}

	@Test
	void tenantsShareNeitherFilesNorPaths() {
		Workspace first = acquire("a", "default", true);
		Workspace second = acquire("a", "acme", true);
		this.provider.open(first).seed("file", "x");
		assertThat(second.root()).isNotEqualTo(first.root());
		assertThat(this.provider.open(second).snapshot()).isEmpty();
		assertThat(this.provider.open(acquire("a", "ACME", true)).root().root()).isNotEqualTo(second.root());
	}

	@Test
	void readOnlyWorkspaceHasTheSameFiles() {
		InMemoryWorkspaceFiles files = this.provider.open(acquire("a")).seed("file", "x");
		InMemoryWorkspaceFiles view = this.provider.open(acquire("a", "default", false));
		assertThat(view.snapshot()).isEqualTo(files.snapshot());
		assertThat(view.tryWriteFile("file", "y")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.READ_ONLY));
		assertThat(files.tryWriteFile("file", "y").isOk()).isTrue();
		assertThat(view.tryReadFile("file").value().content()).isEqualTo("y");
	}

	@Test
	void writePolicyAppliesToEveryWorkspace() {
		InMemoryWorkspaceProvider strict = new InMemoryWorkspaceProvider(
				new WritePolicy(false, List.of("a"), List.of()));
		assertThat(strict.open(strict.acquire(WorkspaceRequest.writable("x"))).tryWriteFile("a/b", "x").isOk())
			.isFalse();
	}

	@Test
	void lastReleaseDropsTheFiles() {
		Workspace workspace = acquire("a");
		acquire("memory:a");
		Workspace view = acquire("a", "default", false);
		this.provider.open(workspace).seed("file", "x");
		this.provider.release(workspace.id());
		assertThat(this.provider.open(workspace).snapshot()).containsOnlyKeys("file");
		this.provider.release(workspace.id());
		assertThat(this.provider.open(view).snapshot()).containsOnlyKeys("file");
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> this.provider.open(workspace));
		this.provider.release(view.id());
		assertThat(this.provider.open(acquire("a")).snapshot()).isEmpty();
	}

	@Test
	void openRefusesWorkspacesOfOtherProviders() {
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> this.provider.open(Workspace.cwd()))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED));
	}

	@Test
	void providerIsItsOwnFilesFactory() {
		assertThat(new WorkspaceProviderRegistration("memory", this.provider, this.provider).files())
			.isSameAs(this.provider);
	}

}

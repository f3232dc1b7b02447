package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnenforcedPolicies}.
 */
class UnenforcedPoliciesTests {

	private static final SandboxCapabilities CONFINING = SandboxCapabilities.of("confining",
			Set.of(SandboxCapability.PROTECTED_PATHS, SandboxCapability.MOUNTS), Map.of());

	@TempDir
	Path directory;

	private List<String> unenforced(SandboxCapabilities capabilities, String... properties) {
		return found((configured) -> UnenforcedPolicies.of(configured, capabilities), properties);
	}

	private List<String> found(Function<WorkspaceProperties, List<String>> policies, String... properties) {
		List<List<String>> found = new ArrayList<>();
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory)
			.withPropertyValues(properties)
			.run((context) -> found.add(policies.apply(context.getBean(WorkspaceProperties.class))));
		return found.get(0);
	}

	@Test
	void sandboxWithProtectedPathsDoesNotEnforceThoseAtAnyDepth() {
		String paths = "kairo.workspace.protected-paths=.git/hooks,**/.git/hooks,**/.env";
		assertThat(unenforced(CONFINING, paths)).containsExactly("protected-paths [**/.git/hooks, **/.env]");
		assertThat(unenforced(SandboxCapabilities.none("none"), paths))
			.containsExactly("protected-paths [.git/hooks, **/.git/hooks, **/.env]");
	}

	@Test
	void summaryCountsProtectedPaths() {
		assertThat(found((configured) -> UnenforcedPolicies.summary(configured, CONFINING)))
			.containsExactly("9 of 14 protected-paths");
		assertThat(found((configured) -> UnenforcedPolicies.summary(configured, SandboxCapabilities.none("none")),
				"kairo.workspace.protected-paths=.claude", "kairo.workspace.allowed-prefixes=src"))
			.containsExactly("1 of 1 protected-paths", "allowed-prefixes [src]");
	}

	@Test
	void nothingIsUnenforcedWithoutPathsAtAnyDepth() {
		assertThat(unenforced(CONFINING, "kairo.workspace.protected-paths=.git/hooks")).isEmpty();
		assertThat(unenforced(CONFINING, "kairo.workspace.read-only=true")).isEmpty();
	}

}

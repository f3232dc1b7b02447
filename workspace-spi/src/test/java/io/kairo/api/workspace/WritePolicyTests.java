package io.kairo.api.workspace;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link WritePolicy}.
 */
class WritePolicyTests {

	@Test
	void constantsAllowAllOrNothing() {
		assertThat(WritePolicy.ALLOW_ALL).isEqualTo(new WritePolicy(false, List.of(), List.of()));
		assertThat(WritePolicy.READ_ONLY).isEqualTo(new WritePolicy(true, List.of(), List.of()));
	}

	@Test
	void pathsBecomeCanonical() {
		WritePolicy policy = new WritePolicy(false, List.of("/.git/hooks/", ".git\\config"),
				List.of("./src//main", "/"));
		assertThat(policy.protectedPaths()).containsExactly(".git/hooks", ".git/config");
		assertThat(policy.allowedPrefixes()).containsExactly("src/main", "");
	}

	@Test
	void pathsAreCopied() {
		List<String> paths = new ArrayList<>(List.of("a"));
		WritePolicy policy = new WritePolicy(false, paths, paths);
		paths.add("b");
		assertThat(policy.protectedPaths()).containsExactly("a");
		assertThat(policy.allowedPrefixes()).containsExactly("a");
		assertThatThrownBy(() -> policy.protectedPaths().add("b")).isInstanceOf(UnsupportedOperationException.class);
	}

	@Test
	void pathsThatCannotBeCanonicalAreRefused() {
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> new WritePolicy(false, List.of("../x"), List.of()));
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> new WritePolicy(false, List.of(), List.of("../x")));
	}

	@Test
	void rootCannotBeProtected() {
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> new WritePolicy(false, List.of("/"), List.of()));
	}

	@Test
	void pathsAtAnyDepthAreToldApart() {
		WritePolicy policy = new WritePolicy(false, List.of(".git/hooks", "**/.git/config", "/**//.env"), List.of());
		assertThat(policy.protectedPaths()).containsExactly(".git/hooks", "**/.git/config", "**/.env");
		assertThat(policy.protectedAtRoots()).containsExactly(".git/hooks");
		assertThat(policy.protectedAtAnyDepth()).containsExactly(".git/config", ".env");
	}

	@ParameterizedTest
	@ValueSource(strings = { "**", "**/", "a/**", "a/**/b", "**/**/b", "**/*.pem", "*.pem", "**.pem" })
	void otherWildcardsAreRefused(String path) {
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> new WritePolicy(false, List.of(path), List.of()))
			.withMessageContainingAll(path, "**/");
	}

}

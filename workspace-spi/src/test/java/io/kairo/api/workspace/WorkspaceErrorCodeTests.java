package io.kairo.api.workspace;

import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkspaceErrorCode}.
 */
class WorkspaceErrorCodeTests {

	@ParameterizedTest
	@EnumSource
	void codesAreLowerCase(WorkspaceErrorCode code) {
		assertThat(code.code()).isEqualTo(code.name().toLowerCase(Locale.ROOT)).matches("[a-z]+(_[a-z]+)*");
	}

	@Test
	void publishedCodesExist() {
		assertThat(Stream.of(WorkspaceErrorCode.values()).map(WorkspaceErrorCode::code)).contains(
				"workspace_not_assigned", "path_traversal_blocked", "file_not_found", "not_a_directory",
				"is_a_directory", "permission_denied", "read_only", "protected_path", "stale_read", "quota_exceeded",
				"too_large", "unsupported_file_type", "write_failed", "read_failed");
	}

}

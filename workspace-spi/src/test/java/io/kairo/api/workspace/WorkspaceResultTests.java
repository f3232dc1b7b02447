package io.kairo.api.workspace;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for {@link WorkspaceResult}.
 */
class WorkspaceResultTests {

	private final WorkspaceResult<String> failure = WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND,
			"'a' is not there");

	@Test
	void okResultHasAValue() {
		WorkspaceResult<String> ok = WorkspaceResult.ok("text");
		assertThat(ok.isOk()).isTrue();
		assertThat(ok.value()).isEqualTo("text");
		assertThat(ok).isEqualTo(new WorkspaceResult.Ok<>("text"));
	}

	@Test
	void failureHasCodeAndMessage() {
		assertThat(this.failure.isOk()).isFalse();
		assertThat(this.failure)
			.isEqualTo(new WorkspaceResult.Failure<>(WorkspaceErrorCode.FILE_NOT_FOUND, "'a' is not there"));
	}

	@Test
	void valueOfFailureThrowsExceptionWithCodeAndMessage() {
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(this.failure::value)
			.withMessage("'a' is not there")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND));
	}

	@Test
	void mapAppliesTheFunctionToTheValue() {
		assertThat(WorkspaceResult.ok("text").map(String::length)).isEqualTo(WorkspaceResult.ok(4));
	}

	@Test
	void mapKeepsFailure() {
		WorkspaceResult<Integer> mapped = this.failure.map((value) -> fail("must not be called"));
		assertThat(mapped).isEqualTo(this.failure);
	}

	@Test
	void castKeepsCodeAndMessageOfFailure() {
		WorkspaceResult<Integer> cast = ((WorkspaceResult.Failure<String>) this.failure).cast();
		assertThat(cast).isEqualTo(this.failure);
	}

	@Test
	void nullIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> WorkspaceResult.ok(null));
		assertThatNullPointerException().isThrownBy(() -> WorkspaceResult.failure(null, "message"));
		assertThatNullPointerException()
			.isThrownBy(() -> WorkspaceResult.failure(WorkspaceErrorCode.READ_FAILED, null));
	}

}

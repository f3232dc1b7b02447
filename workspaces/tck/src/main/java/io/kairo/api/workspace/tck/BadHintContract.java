package io.kairo.api.workspace.tck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Hints that do not name a workspace are refused without side effects.
 */
abstract class BadHintContract {

	private static final int LONGEST_NAME = 255;

	private final WorkspaceProviderContract suite;

	BadHintContract(WorkspaceProviderContract suite) {
		this.suite = suite;
	}

	private Throwable refusal(@Nullable String hint) {
		Throwable refusal = catchThrowable(() -> this.suite.acquire(hint));
		assertThat(refusal).as("acquiring %s", hint).isNotNull();
		return refusal;
	}

	private void assertRefused(String hint, Throwable refusal, WorkspaceErrorCode... codes) {
		assertThat(refusal).as(hint).isInstanceOfAny(WorkspacePathException.class, WorkspaceException.class);
		String message = String.valueOf(refusal.getMessage());
		assertThat(code(refusal)).as(message).isIn((Object[]) codes);
		assertThat(message).as("problem and remedy, separated by a colon").containsPattern(".: [a-z]");
		assertThat(message).as("value in the message").contains(this.suite.shownOf(hint));
		assertThat(message.chars().filter(Character::isISOControl)).as(message).isEmpty();
	}

	private static WorkspaceErrorCode code(Throwable refusal) {
		return (refusal instanceof WorkspacePathException mistake) ? mistake.code()
				: ((WorkspaceException) refusal).code();
	}

	@Test
	void badHintIsRefusedAsMistakeOfCallerWithRemedy() {
		for (String hint : this.suite.badHints()) {
			Throwable refusal = refusal(hint);
			assertThat(refusal).as(hint).isInstanceOf(WorkspacePathException.class);
			assertRefused(hint, refusal, WorkspaceErrorCode.values());
		}
	}

	@Test
	void badHintIsRefusedWithDeclaredCode() {
		this.suite.refusals().forEach((hint, code) -> assertRefused(hint, refusal(hint), code));
	}

	@Test
	void badHintIsRefusedEquallyForReadOnlyRequests() {
		for (String hint : this.suite.badHints()) {
			assertThat(catchThrowable(() -> this.suite.provider().acquire(WorkspaceRequest.readOnly(hint)))).as(hint)
				.hasSameClassAs(refusal(hint))
				.hasMessage(refusal(hint).getMessage());
		}
	}

	@Test
	void hintWithLongNameOrControlCharactersIsInvalid() {
		for (String name : List.of("n".repeat(LONGEST_NAME + 45), "ä".repeat(LONGEST_NAME / 2 + 1), "a\0b", "a\nb",
				"a\u001b[31mred", "a\u0085b")) {
			String hint = this.suite.hintFor(name);
			if (hint != null) {
				assertRefused(hint, refusal(hint), WorkspaceErrorCode.INVALID_PATH);
			}
		}
	}

	@Test
	void hintWithParentSegmentsIsRefused() {
		for (String name : List.of("../no-such-name", "../../no-such-name", "a/../../no-such-name")) {
			String hint = this.suite.hintFor(name);
			if (hint != null) {
				assertRefused(hint, refusal(hint), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
						WorkspaceErrorCode.INVALID_PATH, WorkspaceErrorCode.FILE_NOT_FOUND);
			}
		}
	}

	@Test
	void hintWithParentSegmentsIsRefusedEvenIfTargetExists() throws Exception {
		this.suite.createOutside("existing-name");
		for (String name : List.of("../existing-name", "../../existing-name", "a/../../existing-name",
				"../no-such-name")) {
			String hint = this.suite.hintFor(name);
			if (hint != null && !this.suite.hintsLeadAnywhere()) {
				assertRefused(hint, refusal(hint), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
						WorkspaceErrorCode.INVALID_PATH);
			}
		}
	}

	@Test
	void blankHintsAreEquivalentToNoHint() {
		Set<String> answers = new TreeSet<>();
		for (String hint : Arrays.asList(null, "", " ", "\t \n")) {
			answers.add(answer(hint));
		}
		assertThat(answers).hasSize(1);
	}

	private String answer(@Nullable String hint) {
		try {
			Workspace workspace = this.suite.acquire(hint);
			return this.suite.freshForEachAcquire() ? workspace.kind().name() : workspace.id();
		}
		catch (WorkspacePathException ex) {
			return ex.code().code();
		}
	}

	@TestFactory
	Stream<DynamicTest> accessDeniedByOperatingSystemIsReported() throws Exception {
		return this.suite.deniedHints()
			.stream()
			.map((hint) -> DynamicTest.dynamicTest(hint,
					() -> assertRefused(hint, refusal(hint), WorkspaceErrorCode.PERMISSION_DENIED)));
	}

	@Test
	void refusedHintLeavesNoFiles() {
		List<String> hints = new ArrayList<>(this.suite.badHints());
		hints.addAll(this.suite.refusals().keySet());
		// creates directories that remain for later calls
		hints.forEach(this::refusal);
		Set<String> before = this.suite.snapshot();
		for (String hint : hints) {
			refusal(hint);
			assertThat(this.suite.snapshot()).as(hint).isEqualTo(before);
		}
	}

}

package io.kairo.workspace.local.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.kairo.workspace.local.PortableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FoldedNames}.
 */
class FoldedNamesTests {

	@ParameterizedTest
	@CsvSource({ "README.md, readme.MD", "\u00c4, \u00e4", "\u00e9, e\u0301", "\u00c9, e\u0301", "\u1e9e, \u00df",
			"\u212a, k", "\u03a3, \u03c2", "\ud801\udc00, \ud801\udc28" })
	void foldMakesNamesEqualThatDifferInCaseOrComposition(String one, String other) {
		assertThat(PortableName.fold(one)).isEqualTo(PortableName.fold(other));
	}

	@ParameterizedTest
	@CsvSource({ "a, b", "\u00df, ss", "\ufb01, fi", "a, \u00e4", "a\u200b, a", "\uff21, A", "a., a" })
	void foldKeepsOtherNamesDistinct(String one, String other) {
		assertThat(PortableName.fold(one)).isNotEqualTo(PortableName.fold(other));
	}

	/**
	 * Otherwise a protected path could be created under a name that the policy treats as
	 * another one.
	 */
	@Test
	void foldedNamesAreEqualForTheWritePolicy() {
		List<String> different = new ArrayList<>();
		IntStream.rangeClosed(1, Character.MAX_CODE_POINT)
			.filter((character) -> Character.isDefined(character)
					&& Character.getType(character) != Character.SURROGATE)
			.mapToObj(Character::toString)
			.filter((name) -> !PortableName.foldFully(name).equals(PortableName.foldFully(PortableName.fold(name))))
			.forEach(different::add);
		assertThat(different).isEmpty();
	}

}

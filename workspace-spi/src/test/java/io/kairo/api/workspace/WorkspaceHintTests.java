package io.kairo.api.workspace;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link WorkspaceHint}.
 */
class WorkspaceHintTests {

	@ParameterizedTest
	@CsvSource({ "memory:notes, memory, notes", "git:https://host/r.git#b, git, https://host/r.git#b",
			"local:, local, ''", "svn+ssh:x:y, svn+ssh, x:y", "A.b-2: x, A.b-2, ' x'" })
	void parseSplitsAtTheFirstColon(String hint, String scheme, String rest) {
		assertThat(WorkspaceHint.parse(hint)).isEqualTo(new WorkspaceHint(scheme, rest)).hasToString(hint);
	}

	@ParameterizedTest
	@NullAndEmptySource
	void parseReturnsEmptyHintForNoHint(@Nullable String hint) {
		assertThat(WorkspaceHint.parse(hint)).isEqualTo(new WorkspaceHint(null, ""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "C:\\work", "c:", "./a:b", "a/b:c", ":x", "1a:x", "a b:c", " memory:x", "notes" })
	void parseFindsNoSchemeInPath(String hint) {
		assertThat(WorkspaceHint.parse(hint)).isEqualTo(new WorkspaceHint(null, hint)).hasToString(hint);
	}

	@Test
	void parseKeepsLineBreaksInTheRest() {
		assertThat(WorkspaceHint.parse("memory:a\nb")).isEqualTo(new WorkspaceHint("memory", "a\nb"));
	}

	@Test
	void withoutRemovesThatSchemeAlone() {
		assertThat(WorkspaceHint.parse("memory:notes").without("memory")).isEqualTo("notes");
		assertThat(WorkspaceHint.parse("memory:notes").without("local")).isEqualTo("memory:notes");
		assertThat(WorkspaceHint.parse("Memory:notes").without("memory")).isEqualTo("Memory:notes");
		assertThat(WorkspaceHint.parse("notes").without("memory")).isEqualTo("notes");
		assertThat(WorkspaceHint.parse(null).without("memory")).isEmpty();
	}

	@Test
	void partsThatWouldBeParsedDifferentlyAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new WorkspaceHint(null, "memory:notes"));
		assertThatIllegalArgumentException().isThrownBy(() -> new WorkspaceHint("a", "notes"));
		assertThatIllegalArgumentException().isThrownBy(() -> new WorkspaceHint("a:b", "notes"));
	}

}

package io.kairo.autoconfigure;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link DocumentedConfiguration}.
 */
class DocumentedConfigurationTests {

	@Test
	void propertiesAreThoseOfFirstBlockBelowHeading() {
		assertThat(DocumentedConfiguration.of("tenancy.md", "Files").with("/srv/agents", "/somewhere").properties())
			.contains("kairo.workspace.roots[0]=/somewhere/{tenant}");
	}

	@Test
	void missingExampleIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> DocumentedConfiguration.of("tenancy.md", "No such part"));
	}

}

package io.kairo.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the documentation has the figures of each attack.
 */
class HostileTenantTableTests {

	private static final String FIGURES = "(\\| \\d+ / \\d+ / \\d+ ){4}(\\| [\\d.]+ → [\\d.]+ ms, [\\d.]+x ){3}\\|";

	@ParameterizedTest
	@EnumSource
	void pageHasRowOfAttack(HostileAttack attack) throws IOException {
		String page = Files.readString(HostileTenantTable.PAGE);
		assertThat(page).contains(new HostileTenantTable(Map.of()).toString());
		assertThat(page.lines()).as("stale, run HostileTenantTests with -Dkairo.stress=long -Dkairo.docs.write=true")
			.filteredOn((line) -> line.startsWith("| " + attack.title() + " |"))
			.singleElement()
			.asString()
			.matches("\\| .* " + FIGURES);
	}

}

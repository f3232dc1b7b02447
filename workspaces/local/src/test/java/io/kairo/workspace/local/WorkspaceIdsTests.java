package io.kairo.workspace.local;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkspaceIds}.
 */
class WorkspaceIdsTests {

	@ParameterizedTest
	@CsvSource({ "/a, default, true, local:/a", "/a, default, false, local:/a#ro", "/a, acme, true, local:/a#acme",
			"/a, acme, false, local:/a#acme#ro", "/a, ro, true, local:/a#%72o", "/a, ro, false, local:/a#%72o#ro",
			"/a, %72o, true, local:/a#%2572o", "/a, acme#ro, true, local:/a#acme%23ro",
			"/a#ro, default, true, local:/a%23ro", "/100%, default, true, local:/100%25" })
	void idNamesTenantAndAccess(String name, String tenant, boolean writable, String id) {
		assertThat(WorkspaceIds.of("local", name, tenant, writable)).isEqualTo(id);
	}

}

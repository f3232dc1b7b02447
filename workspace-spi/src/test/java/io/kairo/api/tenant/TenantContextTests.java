package io.kairo.api.tenant;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link TenantContext}.
 */
class TenantContextTests {

	@Test
	void singleIsTheDefaultTenantWithAnAnonymousPrincipal() {
		assertThat(TenantContext.SINGLE).isEqualTo(new TenantContext("default", "anonymous", Map.of()));
	}

	@Test
	void attributeNamesAreStable() {
		assertThat(TenantContext.ATTR_TENANT_ID).isEqualTo("tenant.id");
		assertThat(TenantContext.ATTR_PRINCIPAL_ID).isEqualTo("tenant.principal");
		assertThat(TenantContext.ATTR_AGENT_ID).isEqualTo("agent.id");
	}

	@Test
	void twoArgumentConstructorHasNoAttributes() {
		assertThat(new TenantContext("acme", "ann").attributes()).isEmpty();
	}

	@Test
	void attributesAreCopied() {
		Map<String, String> attributes = new HashMap<>(Map.of("plan", "free"));
		TenantContext tenant = new TenantContext("acme", "ann", attributes);
		attributes.put("plan", "paid");
		assertThat(tenant.attributes()).containsOnly(Map.entry("plan", "free"));
	}

	@Test
	void attributesCannotBeChanged() {
		TenantContext tenant = new TenantContext("acme", "ann", new HashMap<>());
		assertThatThrownBy(() -> tenant.attributes().put("plan", "paid"))
			.isInstanceOf(UnsupportedOperationException.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t" })
	void blankIdsAreRefusedWithTheirName(String blank) {
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantContext(blank, "ann"))
			.withMessageContaining("tenantId");
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantContext("acme", blank))
			.withMessageContaining("principalId");
	}

	@Test
	void nullIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> new TenantContext(null, "ann"));
		assertThatNullPointerException().isThrownBy(() -> new TenantContext("acme", null));
		assertThatNullPointerException().isThrownBy(() -> new TenantContext("acme", "ann", null));
	}

	@Test
	void missingTenantIsTheSingleOne() {
		TenantContext tenant = new TenantContext("acme", "ann");
		assertThat(TenantContext.orSingle(tenant)).isSameAs(tenant);
		assertThat(TenantContext.orSingle(null)).isSameAs(TenantContext.SINGLE);
	}

}

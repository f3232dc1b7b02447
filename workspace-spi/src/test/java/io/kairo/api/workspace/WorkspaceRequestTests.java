package io.kairo.api.workspace;

import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkspaceRequest}.
 */
class WorkspaceRequestTests {

	@Test
	void nullTenantBecomesTheSingleTenant() {
		assertThat(new WorkspaceRequest("here", null, true).tenant()).isSameAs(TenantContext.SINGLE);
	}

	@Test
	void requestKeepsItsArguments() {
		TenantContext tenant = new TenantContext("acme", "ann");
		WorkspaceRequest request = new WorkspaceRequest("here", tenant, false);
		assertThat(request.hint()).isEqualTo("here");
		assertThat(request.tenant()).isSameAs(tenant);
		assertThat(request.writable()).isFalse();
	}

	@Test
	void hintMayBeNull() {
		assertThat(new WorkspaceRequest(null, null, true).hint()).isNull();
	}

	@Test
	void factoryMethodsUseTheSingleTenant() {
		assertThat(WorkspaceRequest.writable("here"))
			.isEqualTo(new WorkspaceRequest("here", TenantContext.SINGLE, true));
		assertThat(WorkspaceRequest.readOnly(null)).isEqualTo(new WorkspaceRequest(null, TenantContext.SINGLE, false));
	}

}

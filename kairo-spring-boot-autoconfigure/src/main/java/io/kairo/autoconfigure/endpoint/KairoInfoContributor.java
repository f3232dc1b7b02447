package io.kairo.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Contributes the sandbox, its enforced capabilities, and the names of the tools.
 */
final class KairoInfoContributor implements InfoContributor {

	private final ToolCatalog catalog;

	private final ObjectProvider<ExecutionSandbox> sandbox;

	KairoInfoContributor(ToolCatalog catalog, ObjectProvider<ExecutionSandbox> sandbox) {
		this.catalog = catalog;
		this.sandbox = sandbox;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		ExecutionSandbox available = this.sandbox.getIfAvailable();
		if (available != null) {
			SandboxCapabilities capabilities = available.capabilities();
			details.put("sandbox", Map.of("backend", capabilities.backend(), "capabilities", capabilities.enforced()));
		}
		List<String> tools = this.catalog.definitions().stream().map(ToolDefinition::name).toList();
		details.put("tools", tools);
		builder.withDetail("kairo", details);
	}

}

package io.kairo.autoconfigure.tools;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;

/**
 * The tools that each tenant may call. Refuses calls of the others. Immutable.
 */
public final class EnabledTools implements ToolInterceptor {

	private final List<AgentTool> selected;

	private final Set<String> all;

	private final Set<String> common;

	private final Map<String, Set<String>> tenants = new HashMap<>();

	/**
	 * Creates the value.
	 * @param properties the names by tenant
	 * @param selected all tools
	 * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException
	 * if a name is not the name of a tool
	 */
	EnabledTools(ToolsProperties properties, List<AgentTool> selected) {
		this.selected = selected;
		this.all = new ToolNames("", List.of("*"), List.of()).among(selected);
		this.common = properties.enabled(selected);
		properties.tenants()
			.forEach((tenant, own) -> this.tenants.put(tenant, properties.enabled(selected, tenant, own)));
	}

	/**
	 * Returns whether a tenant may call a tool.
	 * @param tenantId the id of the tenant
	 * @param tool the name of the tool
	 * @return true if it is enabled, or is not a tool of the catalog
	 */
	public boolean isEnabled(String tenantId, String tool) {
		return !this.all.contains(tool) || this.tenants.getOrDefault(tenantId, this.common).contains(tool);
	}

	/**
	 * Returns all tools, whether a tenant may call them or not.
	 */
	List<AgentTool> selected() {
		return this.selected;
	}

	/**
	 * Returns the names of the tools that some tenant may call.
	 */
	Set<String> ofAnyTenant() {
		Set<String> names = new HashSet<>(this.common);
		this.tenants.values().forEach(names::addAll);
		return names;
	}

	@Override
	public boolean permits(ToolDefinition tool, TenantContext tenant) {
		return isEnabled(tenant.tenantId(), tool.name());
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		String tenant = context.tenant().tenantId();
		if (isEnabled(tenant, call.name())) {
			return chain.proceed(call, context);
		}
		List<String> enabled = this.all.stream().filter((tool) -> isEnabled(tenant, tool)).toList();
		return ToolResult.failure(ToolError.TOOL_NOT_ENABLED, "The tool " + call.name() + " is not enabled here.",
				enabled.isEmpty() ? "No tool is: do without tools." : "Use one of " + String.join(", ", enabled) + ".");
	}

}

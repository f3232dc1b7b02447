package io.kairo.autoconfigure.mcp;

import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the tools as those of an MCP server, with annotations. Spring
 * AI's server picks the specifications up.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class })
@ConditionalOnClass(SyncToolSpecification.class)
@ConditionalOnBean({ ToolCatalog.class, AgentSessions.class })
@EnableConfigurationProperties(McpProperties.class)
public final class KairoMcpAutoConfiguration {

	KairoMcpAutoConfiguration() {
	}

	@Bean
	McpExposure kairoMcpExposure(McpProperties properties, SandboxProperties sandboxProperties,
			ObjectProvider<ExecutionSandbox> sandbox) {
		return new McpExposure(properties, sandboxProperties.type(), sandbox.getIfAvailable());
	}

	@Bean
	McpTools kairoMcpTools(ToolCatalog catalog, AgentSessions sessions, TenantContextHolder tenants) {
		return new McpTools(catalog, sessions, tenants);
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMcpToolSpecifications")
	List<SyncToolSpecification> kairoMcpToolSpecifications(McpExposure exposure, McpTools tools, ToolCatalog catalog) {
		return exposure.select(catalog).stream().map(tools::specification).toList();
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMcpStatelessToolSpecifications")
	List<McpStatelessServerFeatures.SyncToolSpecification> kairoMcpStatelessToolSpecifications(McpExposure exposure,
			McpTools tools, ToolCatalog catalog) {
		return exposure.select(catalog).stream().map(tools::statelessSpecification).toList();
	}

}

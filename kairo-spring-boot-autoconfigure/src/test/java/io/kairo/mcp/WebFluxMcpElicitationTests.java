package io.kairo.mcp;

import java.security.Principal;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.tenancy.TenantResolver;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebFilter;

/**
 * Tests for the approval of calls by the people at MCP clients of a reactive application.
 */
class WebFluxMcpElicitationTests extends McpElicitationTests {

	@Override
	Stream<String> properties() {
		return WebFluxMcpServer.properties("streamable");
	}

	@Override
	List<Class<?>> configuration() {
		return List.of(NestedTool.class, Callers.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class Callers {

		@Bean
		WebFilter authentication() {
			return (exchange, chain) -> {
				String caller = exchange.getRequest().getHeaders().getFirst(McpTestServer.CALLER);
				Principal principal = () -> caller;
				return chain.filter(exchange.mutate().principal(Mono.just(principal)).build());
			};
		}

		@Bean
		TenantResolver tenantResolver() {
			return (principal) -> {
				String[] caller = principal.getName().split("/");
				return new TenantContext(caller[0], caller[1]);
			};
		}

	}

}

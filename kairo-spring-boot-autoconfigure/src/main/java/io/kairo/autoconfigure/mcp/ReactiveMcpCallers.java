package io.kairo.autoconfigure.mcp;

import java.security.Principal;
import java.util.Optional;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The callers of reactive requests: the tenant or the principal in the Reactor context of
 * the request, or else the principal of the request, whether or not the application
 * propagates that context to threads. Safe for use by several threads.
 */
final class ReactiveMcpCallers {

	private final CallerTenants tenants;

	private final ReactiveMcpThreads threads;

	private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().clearMissing(true).build();

	ReactiveMcpCallers(CallerTenants tenants, ReactiveMcpThreads threads) {
		this.tenants = tenants;
		this.threads = threads;
	}

	/**
	 * Returns the caller of a request.
	 * @return the caller, empty if a tenant is required and there is none;
	 * {@link McpRefusedException} if the principal belongs to no tenant
	 */
	Mono<Optional<TenantContext>> of(ServerRequest request) {
		return request.principal()
			.<Optional<Principal>>map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((principal) -> Mono
				.deferContextual((context) -> this.threads.run(() -> resolve(principal.orElse(null), context))));
	}

	private Optional<TenantContext> resolve(@Nullable Principal principal, ContextView context) {
		try (ContextSnapshot.Scope scope = this.snapshots.setThreadLocalsFrom(context)) {
			return this.tenants.current(principal);
		}
		catch (RuntimeException ex) {
			CallerTenants.log("the MCP server", ex);
			throw new McpRefusedException((principal != null) ? HttpStatus.FORBIDDEN : HttpStatus.UNAUTHORIZED,
					CallerTenants.REFUSAL.message());
		}
	}

}

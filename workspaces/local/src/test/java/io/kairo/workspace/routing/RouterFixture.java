package io.kairo.workspace.routing;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;

/**
 * Routers over the providers of a test and, unless one of those has the scheme,
 * workspaces in memory.
 */
final class RouterFixture {

	private final InMemoryWorkspaceProvider memory = new InMemoryWorkspaceProvider();

	WorkspaceProviderRegistration registration(String scheme) {
		return registration(scheme, new StrictProvider());
	}

	WorkspaceProviderRegistration registration(String scheme, WorkspaceProvider provider) {
		return new WorkspaceProviderRegistration(scheme, provider, this.memory);
	}

	RoutingWorkspaceProvider router(String defaultScheme, WorkspaceProviderRegistration... registrations) {
		return router(defaultScheme, List.of(), registrations);
	}

	RoutingWorkspaceProvider router(String defaultScheme, List<WorkspaceListener> listeners,
			WorkspaceProviderRegistration... registrations) {
		List<WorkspaceProviderRegistration> all = new ArrayList<>(List.of(registrations));
		if (all.stream().noneMatch((registration) -> registration.scheme().equals("memory"))) {
			all.add(registration("memory", this.memory));
		}
		return new RoutingWorkspaceProvider(defaultScheme, all, listeners);
	}

}

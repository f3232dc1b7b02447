package io.kairo.api.workspace.tck;

import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * A provider whose disk is going to be full. It is closed at the end if it is closeable.
 *
 * @param registration the provider and its files
 * @param request the request to acquire a workspace
 * @param others other writes of the provider, by their descriptions; each must be refused
 * with a {@link io.kairo.api.workspace.WorkspaceException} on a full disk, and succeed
 * otherwise; copied
 */
public record FullDiskSubject(WorkspaceProviderRegistration registration, WorkspaceRequest request,
		Map<String, Runnable> others) {

	/**
	 * Creates the value.
	 */
	public FullDiskSubject {
		Objects.requireNonNull(registration, "registration");
		Objects.requireNonNull(request, "request");
		others = Map.copyOf(others);
	}

	/**
	 * Creates the value for a provider without other writes.
	 * @param registration the provider and its files
	 * @param request the request to acquire a workspace
	 */
	public FullDiskSubject(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		this(registration, request, Map.of());
	}

}

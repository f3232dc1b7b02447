package io.kairo.api.workspace.tck;

import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * A provider whose disk is going to be full. It is closed in the end if it can be.
 *
 * @param registration the provider and its files
 * @param request what is acquired
 * @param others what else it writes, by what that is; each is to be refused with a
 * {@link io.kairo.api.workspace.WorkspaceException} where there is no space, and done
 * where there is
 * @since 0.1.0
 */
public record FullDiskSubject(WorkspaceProviderRegistration registration, WorkspaceRequest request,
		Map<String, Runnable> others) {

	/**
	 * Creates the value.
	 * @param registration the provider and its files
	 * @param request what is acquired
	 * @param others what else it writes, copied
	 */
	public FullDiskSubject {
		Objects.requireNonNull(registration, "registration");
		Objects.requireNonNull(request, "request");
		others = Map.copyOf(others);
	}

	/**
	 * Creates the value for a provider that writes nothing else.
	 * @param registration the provider and its files
	 * @param request what is acquired
	 */
	public FullDiskSubject(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		this(registration, request, Map.of());
	}

}

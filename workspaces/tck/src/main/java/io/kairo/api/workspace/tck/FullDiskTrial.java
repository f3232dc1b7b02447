package io.kairo.api.workspace.tck;

import java.nio.file.Path;
import java.util.List;

/**
 * Creates a provider with all files on a small disk, so that the contract can fill that
 * disk. Runs in a process of its own, created by a constructor without parameters.
 */
@FunctionalInterface
public interface FullDiskTrial {

	/**
	 * Creates a provider while there is space.
	 * @param directory an empty directory on the small disk
	 * @param arguments the result of
	 * {@link WorkspaceProviderContract#fullDiskArguments()}
	 * @return the provider and the requests to make
	 * @throws Exception if it cannot be created; this fails the test
	 */
	FullDiskSubject prepare(Path directory, List<String> arguments) throws Exception;

}

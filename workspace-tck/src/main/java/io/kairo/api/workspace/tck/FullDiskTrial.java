package io.kairo.api.workspace.tck;

import java.nio.file.Path;
import java.util.List;

/**
 * Makes a provider all of whose files are on a small disk, so that the contract can fill
 * that disk. Runs in a process of its own, and is made there by a constructor without
 * parameters.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface FullDiskTrial {

	/**
	 * Makes a provider, while there is space.
	 * @param directory an empty directory on the small disk
	 * @param arguments what {@link WorkspaceProviderContract#fullDiskArguments()} says
	 * @return the provider and what is asked of it
	 * @throws Exception if it cannot be made, which fails the test
	 */
	FullDiskSubject prepare(Path directory, List<String> arguments) throws Exception;

}

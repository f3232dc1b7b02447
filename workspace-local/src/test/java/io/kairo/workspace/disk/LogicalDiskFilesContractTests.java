package io.kairo.workspace.disk;

import io.kairo.workspace.local.PathPolicy;

/**
 * Holds the disk store to the contract under the policy that hides the host.
 */
class LogicalDiskFilesContractTests extends DiskFilesContractTests {

	@Override
	PathPolicy pathPolicy() {
		return PathPolicy.LOGICAL;
	}

}

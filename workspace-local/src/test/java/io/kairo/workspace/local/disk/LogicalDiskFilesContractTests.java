package io.kairo.workspace.local.disk;

import io.kairo.workspace.local.PathPolicy;

/**
 * Contract tests for the disk store with a path policy that hides the host.
 */
class LogicalDiskFilesContractTests extends DiskFilesContractTests {

	@Override
	PathPolicy pathPolicy() {
		return PathPolicy.LOGICAL;
	}

}

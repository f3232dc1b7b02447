package io.kairo.workspace.local.disk;

import io.kairo.workspace.local.PathPolicy;

/**
 * Contract tests for the disk store with logical paths, which ignores case by default.
 */
class LogicalDiskFilesContractTests extends DiskFilesContractTests {

	@Override
	protected boolean caseSensitive() {
		return false;
	}

	@Override
	PathPolicy pathPolicy() {
		return PathPolicy.LOGICAL;
	}

}

package io.kairo.workspace.local.disk;

import io.kairo.workspace.local.NameMatching;

/**
 * Contract tests for the disk store that ignores case.
 */
class CaseInsensitiveDiskFilesContractTests extends DiskFilesContractTests {

	@Override
	protected boolean caseSensitive() {
		return false;
	}

	@Override
	NameMatching nameMatching() {
		return NameMatching.CASE_INSENSITIVE;
	}

}

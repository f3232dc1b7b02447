package io.kairo.workspace.disk;

import io.kairo.workspace.local.NameMatching;

/**
 * Holds the disk store that ignores case to the contract of stores.
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

package io.kairo.workspace.local;

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

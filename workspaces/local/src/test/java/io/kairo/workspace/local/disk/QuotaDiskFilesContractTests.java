package io.kairo.workspace.local.disk;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.workspace.quota.QuotaWorkspaceFiles;
import io.kairo.workspace.quota.WorkspaceQuota;

/**
 * Contract tests for the disk store with a decorator.
 */
class QuotaDiskFilesContractTests extends DiskFilesContractTests {

	@Override
	WorkspaceFiles wrap(WorkspaceFiles files) {
		return new QuotaWorkspaceFiles(files, new WorkspaceQuota(1L << 30, 100_000));
	}

}

package io.kairo.workspace.local.disk;

import io.kairo.workspace.local.LocalFilesOptions;

/**
 * The attacks without direct system calls.
 */
class StreamedSwapAttackTests extends SwapAttackTests {

	@Override
	LocalFilesOptions options() {
		return super.options().withNativeCalls(false);
	}

}

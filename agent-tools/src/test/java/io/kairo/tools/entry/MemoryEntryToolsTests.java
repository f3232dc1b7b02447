package io.kairo.tools.entry;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.ToolContext;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;

/**
 * Tests for the tools that change entries over files in memory.
 */
class MemoryEntryToolsTests extends EntryToolsContract {

	@Override
	ToolContext open() {
		InMemoryWorkspaceProvider provider = new InMemoryWorkspaceProvider();
		Workspace workspace = provider.acquire(WorkspaceRequest.writable("memory:tests"));
		return ToolContext.builder(workspace).files(provider.open(workspace)).build();
	}

}

package io.kairo.autoconfigure.mcp;

import java.util.List;

import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The root of a workspace that the configuration does not name: the working directory of
 * the application, with its configuration and its secrets. Clients of an MCP server must
 * not be offered that by accident, whatever the transport of the server.
 */
final class ImplicitRoot {

	private final ListableBeanFactory beans;

	private final Environment environment;

	ImplicitRoot(ListableBeanFactory beans, Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	/**
	 * Checks that an MCP server offers tools in a configured directory only.
	 * @param tools the names of the tools that clients can call
	 * @throws ImplicitRootException if the tools would work in the working directory of
	 * the application, and no property names that directory
	 */
	void refuse(List<String> tools) {
		if (!tools.isEmpty() && hasServer() && isServed() && !isConfigured()) {
			throw new ImplicitRootException(tools);
		}
	}

	private boolean hasServer() {
		return has(McpSyncServer.class) || has(McpStatelessSyncServer.class);
	}

	private boolean has(Class<?> type) {
		return this.beans.getBeanNamesForType(type, true, false).length > 0;
	}

	private boolean isServed() {
		return this.beans.containsBean("kairoLocalDirectories")
				&& this.beans.getBean(WorkspaceProperties.class).defaultProvider().equals("local");
	}

	private boolean isConfigured() {
		return Binder.get(this.environment).bind("kairo.workspace.roots", Bindable.listOf(String.class)).isBound();
	}

}

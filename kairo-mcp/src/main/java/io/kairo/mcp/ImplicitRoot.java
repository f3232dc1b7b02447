package io.kairo.mcp;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The root of a workspace that the configuration does not name: the working directory of
 * the application, with its configuration and its secrets. Clients of an MCP server must
 * not be offered that by accident, whatever the transport of the server.
 */
final class ImplicitRoot {

	private ImplicitRoot() {
	}

	/**
	 * Checks that an MCP server offers tools in a configured directory only.
	 * @param tools the names of the tools that clients can call
	 * @param scheme the scheme of the workspaces that sessions have by default, null if
	 * it is not known
	 * @throws ImplicitRootException if the tools would work in the working directory of
	 * the application, and no property names that directory
	 */
	static void refuse(List<String> tools, @Nullable String scheme, Environment environment) {
		if (!tools.isEmpty() && "local".equals(scheme)
				&& !Binder.get(environment).bind("kairo.workspace.roots", Bindable.listOf(String.class)).isBound()) {
			throw new ImplicitRootException(tools);
		}
	}

}

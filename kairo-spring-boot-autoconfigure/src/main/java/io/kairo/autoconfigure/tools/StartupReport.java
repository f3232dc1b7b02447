package io.kairo.autoconfigure.tools;

import java.util.List;
import java.util.function.Function;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.autoconfigure.sandbox.SandboxChoice;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Logs, in one line, the tools of agents and the restrictions that apply to them.
 */
final class StartupReport implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog("io.kairo");

	private final ToolCatalog catalog;

	private final String workspace;

	private final ObjectProvider<ExecutionSandbox> sandbox;

	private final ObjectProvider<SandboxChoice> choice;

	private final Function<SandboxCapabilities, List<String>> fileToolsAlone;

	/**
	 * Creates the report.
	 * @param workspace a description of the workspace
	 * @param sandbox the sandbox, if there is one
	 * @param choice the choice of the sandbox, if Kairo made it
	 * @param fileToolsAlone the settings that a sandbox does not enforce on commands
	 */
	StartupReport(ToolCatalog catalog, String workspace, ObjectProvider<ExecutionSandbox> sandbox,
			ObjectProvider<SandboxChoice> choice, Function<SandboxCapabilities, List<String>> fileToolsAlone) {
		this.catalog = catalog;
		this.workspace = workspace;
		this.fileToolsAlone = fileToolsAlone;
		this.sandbox = sandbox;
		this.choice = choice;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<String> tools = this.catalog.definitions().stream().map(ToolDefinition::name).toList();
		ExecutionSandbox sandbox = this.sandbox.getIfAvailable();
		logger.info("Kairo: workspace %s; %s; tools %s".formatted(this.workspace, describe(sandbox), tools));
		if (sandbox != null && !sandbox.capabilities().has(SandboxCapability.FILE_CONFINEMENT)) {
			logger.warn("Kairo: commands run with the rights of this application and see its files, processes and "
					+ "network (sandbox '" + sandbox.capabilities().backend() + "', isolation=none: "
					+ sandbox.capabilities().reason(SandboxCapability.FILE_CONFINEMENT) + ")");
		}
	}

	private String describe(@Nullable ExecutionSandbox sandbox) {
		if (sandbox == null) {
			return "no sandbox";
		}
		SandboxCapabilities capabilities = sandbox.capabilities();
		SandboxChoice choice = this.choice.getIfAvailable();
		return "sandbox %s (isolation=%s%s)".formatted(capabilities.backend(),
				capabilities.has(SandboxCapability.FILE_CONFINEMENT) ? capabilities.backend() : "none",
				(choice != null) ? ", " + choice.reason() : "")
				+ ((choice != null && !choice.tenants().isEmpty()) ? ", but of tenants " + choice.describeTenants()
						: "")
				+ describe(this.fileToolsAlone.apply(capabilities));
	}

	private static String describe(List<String> fileToolsAlone) {
		return fileToolsAlone.isEmpty() ? "" : "; commands are not held to %s (health lists them as fileToolsAlone)"
			.formatted(String.join(", ", fileToolsAlone));
	}

}

package io.kairo.autoconfigure.tools;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.autoconfigure.sandbox.SandboxChoice;
import io.kairo.tools.ToolCatalog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Logs, in one line, the tools of agents and the restrictions that apply to them. The
 * self-test of the sandbox takes a while, and so runs while other beans are created.
 */
final class StartupReport implements SmartInitializingSingleton, AutoCloseable {

	private static final Log logger = LogFactory.getLog("io.kairo");

	private final ToolCatalog catalog;

	private final String workspace;

	private final @Nullable CompletableFuture<SandboxCapabilities> capabilities;

	private final ObjectProvider<SandboxChoice> choice;

	private final Function<SandboxCapabilities, List<String>> fileToolsAlone;

	private final Map<Path, Path> linkedCheckouts;

	/**
	 * Creates the report.
	 * @param workspace a description of the workspace
	 * @param sandbox the sandbox, null if there is none
	 * @param choice the choice of the sandbox, if Kairo made it
	 * @param fileToolsAlone the settings that a sandbox does not enforce on commands
	 * @param linkedCheckouts the repositories that are in no root, by the roots that need
	 * them
	 */
	StartupReport(ToolCatalog catalog, String workspace, @Nullable ExecutionSandbox sandbox,
			ObjectProvider<SandboxChoice> choice, Function<SandboxCapabilities, List<String>> fileToolsAlone,
			Map<Path, Path> linkedCheckouts) {
		this.catalog = catalog;
		this.workspace = workspace;
		this.fileToolsAlone = fileToolsAlone;
		this.linkedCheckouts = linkedCheckouts;
		this.choice = choice;
		this.capabilities = (sandbox != null)
				? CompletableFuture.supplyAsync(sandbox::capabilities, StartupReport::runInBackground) : null;
	}

	private static void runInBackground(Runnable task) {
		Thread thread = new Thread(task, "kairo-self-test");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Waits for the self-test, since it uses files that are deleted with the sandbox.
	 */
	@Override
	public void close() {
		if (this.capabilities != null) {
			this.capabilities.handle((capabilities, failure) -> capabilities).join();
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		SandboxCapabilities capabilities = (this.capabilities != null) ? this.capabilities.join() : null;
		logger.info("Kairo: workspace %s; %s; tools %s".formatted(this.workspace, describe(capabilities),
				this.catalog.names()));
		if (capabilities != null && !capabilities.has(SandboxCapability.FILE_CONFINEMENT)) {
			logger.warn("Kairo: commands run with the rights of this application and see its files, processes and "
					+ "network (sandbox '" + capabilities.backend() + "', isolation=none: "
					+ capabilities.reason(SandboxCapability.FILE_CONFINEMENT) + ")");
		}
		else if (capabilities != null) {
			this.linkedCheckouts.forEach((root,
					repository) -> logger.warn("Kairo: Git fails in commands in " + root
							+ ", a linked worktree or a submodule, whose repository " + repository
							+ " they do not see: add the checkout with that repository to kairo.workspace.add-dirs"));
		}
	}

	private String describe(@Nullable SandboxCapabilities capabilities) {
		if (capabilities == null) {
			return "no sandbox";
		}
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

package io.kairo.mcp;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.boot.SandboxWorkers;
import io.kairo.tools.ToolAnnotations.Effect;
import io.kairo.tools.ToolAnnotations.Execution;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.function.SingletonSupplier;

/**
 * The tools that MCP clients can call. A tool that runs commands without isolation is
 * offered only with {@code kairo.sandbox.type=process}, since a remote client would have
 * the rights of the application.
 */
final class McpExposure {

	private static final Log logger = LogFactory.getLog(McpExposure.class);

	private static final String PROPERTY = "kairo.mcp.expose";

	/** Shows what other tools changed, which are not offered then. */
	private static final String CHANGES = "Changes";

	private static final String TRIAL = "Trial";

	private final Supplier<Boolean> commandsAllowed;

	private final ToolCatalog catalog;

	private final List<ToolDefinition> exposed;

	/**
	 * Selects the tools.
	 * @param workers the workers of remote sandboxes, null if there are none
	 * @param usable returns whether a tool works in the workspaces of clients; otherwise
	 * it is selected by its name only
	 * @throws InvalidConfigurationPropertyValueException if the configuration names a
	 * tool that does not exist or must not be offered
	 */
	McpExposure(McpProperties properties, String type, @Nullable ExecutionSandbox sandbox,
			@Nullable SandboxWorkers workers, ToolCatalog catalog, Predicate<String> usable) {
		this.commandsAllowed = SingletonSupplier
			.of(() -> type.equals("process") || (sandbox != null && confines(sandbox, workers)));
		this.catalog = catalog;
		List<String> named = Objects.requireNonNullElse(properties.expose(), List.of());
		this.exposed = catalog.definitionsAmong(select(properties.expose(), catalog.definitions()).stream()
			.map(ToolDefinition::name)
			.filter((tool) -> usable.test(tool) || named.contains(tool))
			.collect(Collectors.toSet()));
	}

	private static boolean confines(ExecutionSandbox sandbox, @Nullable SandboxWorkers workers) {
		if (workers != null) {
			workers.requireOfUnknown(SandboxCapability.FILE_CONFINEMENT);
		}
		return sandbox.capabilities().has(SandboxCapability.FILE_CONFINEMENT);
	}

	/**
	 * Returns the tools that clients can call.
	 */
	List<ToolDefinition> exposed() {
		return this.exposed;
	}

	/**
	 * Returns the tools that clients of a server without sessions can call, where no
	 * command can run in the background or in a trial.
	 */
	List<ToolDefinition> exposedWithoutSessions() {
		Set<String> names = this.exposed.stream()
			.filter((tool) -> tool.annotations().execution() != Execution.RUNNING_COMMANDS
					&& !TRIAL.equals(tool.identity()))
			.map(ToolDefinition::name)
			.collect(Collectors.toSet());
		return this.catalog.definitionsAmong(names)
			.stream()
			.map((tool) -> tool.annotations().runsCommands() ? withoutSession(tool) : tool)
			.toList();
	}

	/**
	 * Removes the parameters for commands in the background and in a trial from the
	 * schema. The schema is generated on first use.
	 */
	private static ToolDefinition withoutSession(ToolDefinition tool) {
		return new ToolDefinition(tool.name(), tool.description(), new AbstractMap<>() {

			@Override
			public Set<Entry<String, Object>> entrySet() {
				Map<String, Object> schema = new LinkedHashMap<>(tool.inputSchema());
				if (schema.get("properties") instanceof Map<?, ?> all) {
					Map<Object, Object> properties = new LinkedHashMap<>(all);
					properties.keySet().removeAll(Set.of("run_in_background", "trial"));
					schema.put("properties", properties);
				}
				return schema.entrySet();
			}

		}, tool.annotations(), tool.outputSchema(), tool.answer(), tool.identity());
	}

	private List<ToolDefinition> select(@Nullable List<String> expose, List<ToolDefinition> all) {
		if (expose == null) {
			return all.stream()
				.filter((tool) -> tool.annotations().effect() == Effect.READS && !tool.annotations().needsCommands()
						&& !CHANGES.equals(tool.identity()))
				.toList();
		}
		List<String> names = all.stream().map(ToolDefinition::name).toList();
		for (String name : expose) {
			if (!name.equals("*") && !names.contains(name)) {
				throw new InvalidConfigurationPropertyValueException(PROPERTY, name,
						"no tool has this name; use one of " + names + ", or * for all tools");
			}
		}
		return all.stream().filter((tool) -> isExposed(tool, expose)).toList();
	}

	private boolean isExposed(ToolDefinition tool, List<String> expose) {
		boolean named = expose.contains(tool.name());
		if (!named && !expose.contains("*")) {
			return false;
		}
		if (!tool.annotations().needsCommands() || this.commandsAllowed.get()) {
			return true;
		}
		String reason = "commands would run with the rights of the application; if that is wanted, set "
				+ "kairo.sandbox.type=process";
		if (named) {
			throw new InvalidConfigurationPropertyValueException(PROPERTY, tool.name(), reason);
		}
		logger.warn("The tool " + tool.name() + " is not offered over MCP: " + reason);
		return false;
	}

}

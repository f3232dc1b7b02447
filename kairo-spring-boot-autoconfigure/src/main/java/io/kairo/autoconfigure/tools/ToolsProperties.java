package io.kairo.autoconfigure.tools;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolNaming;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Which tools agents have.
 *
 * @param include names of the tools that agents have; * stands for all.
 * @param exclude names of tools that agents do not have, though they are included.
 * @param naming what the tools and their parameters are called: claude (Read, Write, ...)
 * or snake_case (read_file, write_file, ...).
 * @param sessionTimeout after how long without a call the session of a client ends, and
 * its workspace is released.
 * @param maxSessions how many sessions are kept; beyond it the one that is idle for
 * longest ends.
 * @param read bounds of the tool Read.
 * @param write bounds of the tool Write.
 * @param edit bounds of the tool Edit.
 * @param list bounds of the tool List.
 * @param search bounds of Glob, Grep and Info.
 * @param glob bounds of the tool Glob.
 * @param grep bounds of the tool Grep.
 * @param output bounds of the outputs that are kept because they are too long for a
 * result.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.tools", ignoreUnknownFields = false)
public record ToolsProperties(@DefaultValue("*") List<String> include, @DefaultValue List<String> exclude,
		@DefaultValue("claude") ToolNaming naming, @DefaultValue("1h") Duration sessionTimeout,
		@DefaultValue("10000") int maxSessions,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Read read,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Write write,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Edit edit,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Listing list,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Search search,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Glob glob,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Grep grep,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Output output) {

	/**
	 * Creates the value.
	 * @param include names of the tools that agents have
	 * @param exclude names of tools that agents do not have
	 * @param naming what the tools are called
	 * @param sessionTimeout after how long without a call a session ends, above zero
	 * @param maxSessions how many sessions are kept, at least 1
	 * @param read bounds of the tool Read
	 * @param write bounds of the tool Write
	 * @param edit bounds of the tool Edit
	 * @param list bounds of the tool List
	 * @param search bounds of Glob, Grep and Info
	 * @param glob bounds of the tool Glob
	 * @param grep bounds of the tool Grep
	 * @param output bounds of the outputs that are kept
	 */
	public ToolsProperties {
		if (sessionTimeout.isNegative() || sessionTimeout.isZero()) {
			throw new InvalidConfigurationPropertyValueException("kairo.tools.session-timeout", sessionTimeout,
					"it must be above zero, such as 1h");
		}
		ToolPropertyChecks.notBelow("max-sessions", maxSessions, 1);
		include = List.copyOf(include);
		exclude = List.copyOf(exclude);
	}

	/**
	 * Returns the tools that agents have.
	 * @param tools every tool
	 * @return those that are included and not excluded
	 * @throws InvalidConfigurationPropertyValueException if a name is not that of a tool
	 */
	List<AgentTool> select(Stream<AgentTool> tools) {
		List<AgentTool> all = withoutReplaced(tools.toList());
		Set<String> included = new ToolNames("kairo.tools.include", this.include, this.naming.tool("Bash")).among(all);
		Set<String> excluded = new ToolNames("kairo.tools.exclude", this.exclude, this.naming.tool("Bash")).among(all);
		return all.stream()
			.filter((tool) -> included.contains(tool.definition().name()))
			.filter((tool) -> !excluded.contains(tool.definition().name()))
			.collect(Collectors.toList());
	}

	/**
	 * Leaves a tool of Kairo out that the application has one of the same name for.
	 */
	private static List<AgentTool> withoutReplaced(List<AgentTool> tools) {
		Set<String> own = tools.stream()
			.filter((tool) -> !isBundled(tool))
			.map((tool) -> tool.definition().name())
			.collect(Collectors.toSet());
		return tools.stream().filter((tool) -> !isBundled(tool) || !own.contains(tool.definition().name())).toList();
	}

	private static boolean isBundled(AgentTool tool) {
		return tool.getClass().getPackageName().startsWith(AgentTool.class.getPackageName() + ".");
	}

}

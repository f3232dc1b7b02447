package io.kairo.autoconfigure.tools;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.boot.PropertyBounds;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolNaming;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for the tools of agents.
 *
 * @param include Names of the tools to include; * for all tools.
 * @param exclude Names of the tools to exclude, even if they are included.
 * @param enabled Names of the tools that tenants may call, among those that are included;
 * * for all tools.
 * @param naming Naming of the tools and their parameters: claude (Read, Write, ...) or
 * snake_case (read_file, write_file, ...).
 * @param namePrefix Prefix of the names of all tools of Kairo, such as kairo_; tools of
 * the application have none. Other properties name the tools with their prefix.
 * @param sessionTimeout Idle timeout of a session. The workspace of the session is
 * released when it ends.
 * @param maxSessions Maximum number of sessions. Beyond it, the session that has been
 * idle for longest ends.
 * @param read Limits of the tool Read.
 * @param write Limits of the tool Write.
 * @param edit Limits of the tool Edit.
 * @param list Limits of the tool List.
 * @param search Limits of the tools Glob, Grep and Info.
 * @param glob Limits of the tool Glob.
 * @param grep Limits of the tool Grep.
 * @param output Limits of the outputs that are kept because they are too long for a
 * result.
 * @param trash Limits of the trash from which Undelete restores.
 * @param background Limits of commands in the background.
 * @param tenants Tools of tenants that differ, by tenant id.
 */
@ConfigurationProperties("kairo.tools")
public record ToolsProperties(@DefaultValue("*") List<String> include, @DefaultValue List<String> exclude,
		@DefaultValue("*") List<String> enabled, @DefaultValue("claude") ToolNaming naming,
		@DefaultValue("") String namePrefix, @DefaultValue("1h") Duration sessionTimeout,
		@DefaultValue("10000") int maxSessions,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Read read,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Write write,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Edit edit,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Listing list,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Search search,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Glob glob,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Grep grep,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Output output,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Trash trash,
		@NestedConfigurationProperty @DefaultValue ToolLimitProperties.Background background,
		@DefaultValue Map<String, TenantToolProperties> tenants) {

	/**
	 * The tools that exist only with a sandbox, with checkpoints, or with workspaces from
	 * Git or S3.
	 */
	private static final List<String> OPTIONAL = List.of("Bash", "BashOutput", "BashInput", "KillBash", "BashList",
			"Checkpoint", "Changes", "Rewind", "Trial", "Diff", "Commit", "Push", "WriteBack");

	/**
	 * Creates and validates the properties.
	 * @param sessionTimeout the idle timeout of a session, above zero
	 * @param maxSessions the maximum number of sessions, at least 1
	 */
	public ToolsProperties {
		new PropertyBounds("kairo.tools.").positive("session-timeout", sessionTimeout)
			.atLeast("max-sessions", maxSessions, 1);
		if (!namePrefix.matches("[A-Za-z0-9_-]{0,32}")) {
			throw new InvalidConfigurationPropertyValueException("kairo.tools.name-prefix", namePrefix,
					"it must have up to 32 letters, digits, _ and -, such as kairo_");
		}
		include = List.copyOf(include);
		exclude = List.copyOf(exclude);
		enabled = List.copyOf(enabled);
		tenants = Map.copyOf(tenants);
	}

	/**
	 * Selects the tools of agents.
	 * @param tools all tools
	 * @return the included tools that are not excluded; without a tool that runs commands
	 * also without those that need commands
	 * @throws InvalidConfigurationPropertyValueException if a name is not the name of a
	 * tool
	 */
	List<AgentTool> select(Stream<AgentTool> tools) {
		List<AgentTool> all = withoutReplaced(tools.map(this::named).toList());
		Set<String> included = new ToolNames("kairo.tools.include", this.include, absent()).among(all);
		Set<String> excluded = new ToolNames("kairo.tools.exclude", this.exclude, absent()).among(all);
		List<AgentTool> selected = all.stream()
			.filter((tool) -> included.contains(tool.definition().name()))
			.filter((tool) -> !excluded.contains(tool.definition().name()))
			.toList();
		boolean commands = selected.stream().anyMatch((tool) -> tool.definition().annotations().runsCommands());
		return selected.stream()
			.filter((tool) -> commands || !tool.definition().annotations().needsCommands())
			.toList();
	}

	/**
	 * Returns the names that the configuration can use for tools.
	 * @param tools all tools, whether they are selected or not
	 * @return their names, and those of the tools of Kairo that are absent because of
	 * other properties
	 */
	public Set<String> names(Stream<AgentTool> tools) {
		Set<String> names = tools.map((tool) -> named(tool).definition().name())
			.collect(Collectors.toCollection(LinkedHashSet::new));
		names.addAll(absent());
		return names;
	}

	/**
	 * Returns the names of the tools that tenants may call unless they differ.
	 * @param tools the selected tools
	 * @throws InvalidConfigurationPropertyValueException if a name is not the name of a
	 * tool
	 */
	Set<String> enabled(List<AgentTool> tools) {
		return new ToolNames("kairo.tools.enabled", this.enabled, absent()).among(tools);
	}

	/**
	 * Returns the names of the tools that a tenant may call that differs.
	 * @param tools the selected tools
	 * @throws InvalidConfigurationPropertyValueException if a name is not the name of a
	 * tool
	 */
	Set<String> enabled(List<AgentTool> tools, String tenant, TenantToolProperties own) {
		return new ToolNames("kairo.tools.tenants." + tenant + ".enabled", own.enabled(), absent()).among(tools);
	}

	private List<String> absent() {
		return OPTIONAL.stream().map((name) -> this.namePrefix + this.naming.tool(name)).toList();
	}

	private AgentTool named(AgentTool tool) {
		return (this.namePrefix.isEmpty() || !isBundled(tool)) ? tool : PrefixedTool.of(this.namePrefix, tool);
	}

	/**
	 * Removes Kairo's tools whose names are used by tools of the application.
	 */
	private static List<AgentTool> withoutReplaced(List<AgentTool> tools) {
		Set<String> own = tools.stream()
			.filter((tool) -> !isBundled(tool))
			.map((tool) -> tool.definition().name())
			.collect(Collectors.toSet());
		return tools.stream().filter((tool) -> !isBundled(tool) || !own.contains(tool.definition().name())).toList();
	}

	private static boolean isBundled(AgentTool tool) {
		return tool instanceof PrefixedTool
				|| tool.getClass().getPackageName().startsWith(AgentTool.class.getPackageName() + ".");
	}

}

package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.boot.PropertyBounds;
import io.kairo.boot.WorkspaceSettings;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.repository.LinkedCheckouts;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for the workspaces of agents.
 *
 * @param roots Directories of the workspace. The first is the primary root: relative
 * paths and commands start there. By default, the working directory of the application,
 * but required if an MCP server offers tools for them. With the segment {tenant}, each
 * tenant has its own directory, created when it is missing; without it, tenants other
 * than the default tenant are rejected.
 * @param addDirs Additional directories of the workspaces of the provider local. Without
 * the segment {tenant}, they are shared by all tenants.
 * @param provider Provider of hints without a scheme.
 * @param hint Hint of the workspace of sessions that request none, such as
 * memory:scratch. By default, the workspace of an empty hint, which is the primary root
 * for the provider local.
 * @param pathPolicy Policy for the paths that are accepted. Always relative-only with the
 * provider task.
 * @param readOnly Whether to reject all changes to files.
 * @param caseInsensitive Whether a name that does not exist resolves to the only entry
 * whose name differs in case alone. True by default with the path policy logical.
 * @param protectedPaths Paths below each root that cannot be written, created, moved or
 * deleted, including everything below them. Those that start with two asterisks and a
 * slash apply at any depth, and to file tools only. By default, the paths through which a
 * Git repository runs commands. Empty for none.
 * @param allowedPrefixes Paths below each root to which writes are restricted. Empty for
 * no restriction.
 * @param strictCwd Whether the working directory is reset to the primary root when a
 * command ends outside the workspace. Otherwise, the next command starts there, while
 * relative paths of file tools still start in the last directory inside the workspace.
 * Without effect in a sandbox that confines commands to the workspace.
 * @param idleTimeout Idle timeout of workspaces that the application acquires through the
 * WorkspaceProvider and does not release. Sessions have their own timeout,
 * kairo.tools.session-timeout.
 * @param closeTimeout Maximum time to wait for the release of all workspaces on shutdown.
 * @param task Workspaces that the agents of a tree inherit from their ancestors.
 * @param quota Quota of the files of a workspace.
 * @param ephemeral Workspaces that are created for one session and removed with it.
 */
@ConfigurationProperties("kairo.workspace")
public record WorkspaceProperties(@DefaultValue(".") List<String> roots, @DefaultValue List<String> addDirs,
		@DefaultValue("local") String provider, @Nullable String hint, @Nullable PathPolicy pathPolicy,
		@DefaultValue("false") boolean readOnly, @Nullable Boolean caseInsensitive, @DefaultValue( {
				".git/hooks", ".git/config", ".git/config.worktree", ".git/modules", ".git/commondir", "**/.git/hooks",
				"**/.git/config", "**/.git/config.worktree", "**/.git/modules", "**/.git/commondir",
				"**/.git/worktrees", "**/.git/rebase-merge", "**/.git/rebase-apply",
				"**/.git/sequencer" }) List<String> protectedPaths,
		@DefaultValue List<String> allowedPrefixes, @DefaultValue("true") boolean strictCwd,
		@DefaultValue("24h") Duration idleTimeout, @DefaultValue("30s") Duration closeTimeout,
		@NestedConfigurationProperty @DefaultValue TaskProperties task,
		@NestedConfigurationProperty @DefaultValue QuotaProperties quota,
		@NestedConfigurationProperty @DefaultValue EphemeralProperties ephemeral) implements WorkspaceSettings{

	private static final String TASK = "task";

	/**
	 * Creates and validates the properties.
	 * @param idleTimeout the idle timeout, above zero
	 * @param closeTimeout the maximum time to wait on shutdown, above zero
	 */
	public WorkspaceProperties {
		pathPolicy = effective(pathPolicy, provider);
		if (roots.isEmpty()) {
			throw invalid("roots", roots, "at least one directory is needed");
		}
		requireText("roots", roots);
		requireText("add-dirs", addDirs);
		if (pathPolicy.hidesHost() && roots.size() > 1) {
			throw invalid("roots", roots, onlyPrimary(pathPolicy));
		}
		if (pathPolicy.hidesHost() && !addDirs.isEmpty()) {
			throw invalid("add-dirs", addDirs, onlyPrimary(pathPolicy));
		}
		roots = List.copyOf(roots);
		addDirs = List.copyOf(addDirs);
		protectedPaths = List.copyOf(protectedPaths);
		allowedPrefixes = List.copyOf(allowedPrefixes);
		requirePaths("protected-paths", protectedPaths,
				(path) -> new WritePolicy(false, List.of(path), List.of()).protectedPaths().get(0));
		requirePaths("allowed-prefixes", allowedPrefixes, WorkspacePath::canonicalize);
		new PropertyBounds("kairo.workspace.").positive("idle-timeout", idleTimeout)
			.positive("close-timeout", closeTimeout);
	}

	/**
	 * Returns the policy for the paths that are accepted.
	 * @return the policy, by default that of the provider
	 */
	@Override
	public PathPolicy pathPolicy() {
		return Objects.requireNonNull(this.pathPolicy);
	}

	private static PathPolicy effective(@Nullable PathPolicy configured, String provider) {
		if (!provider.equals(TASK)) {
			return (configured != null) ? configured : PathPolicy.ROOTS;
		}
		if (configured != null && configured != PathPolicy.RELATIVE_ONLY) {
			throw invalid("path-policy", spelled(configured), "under kairo.workspace.provider=task it is "
					+ "relative-only: remove the property, or use another provider");
		}
		return PathPolicy.RELATIVE_ONLY;
	}

	/**
	 * Returns the roots and the additional directories.
	 * @return the templates, the primary root first
	 * @throws InvalidConfigurationPropertyValueException if a directory that must exist
	 * does not, or if the directories of two tenants overlap
	 */
	List<RootTemplate> templates() {
		return RootTemplates.of(this);
	}

	/**
	 * Returns the roots and the additional directories that are in use from the start.
	 * The working directory of the application is not, if no property names it and
	 * sessions start elsewhere.
	 * @return the templates
	 * @throws InvalidConfigurationPropertyValueException as in {@link #templates()}
	 */
	List<RootTemplate> usedTemplates() {
		boolean used = defaultProvider().equals("local") || !this.roots.equals(List.of("."));
		return used ? templates() : templates().subList(this.roots.size(), this.roots.size() + this.addDirs.size());
	}

	/**
	 * Returns the roots, but those of tenants, whose repository of Git is in no root.
	 * @return the repositories by the roots, empty if there are none
	 */
	public Map<Path, Path> linkedCheckouts() {
		return LinkedCheckouts.among(
				usedTemplates().stream().filter((template) -> !template.perTenant()).map(RootTemplate::base).toList());
	}

	/**
	 * Returns the scheme of the provider of sessions that request no workspace: the
	 * scheme of the configured hint, or else the provider of hints without a scheme.
	 * @return the scheme
	 */
	public String defaultProvider() {
		return Objects.requireNonNullElse(WorkspaceHint.parse(this.hint).scheme(), this.provider);
	}

	/**
	 * Returns the directory that contains the directories of the tenants.
	 * @return the directory, null if the default workspace has no directory per tenant
	 */
	public @Nullable Path directoryOfTenants() {
		RootTemplate primary = RootTemplate.parse(this.roots.get(0));
		return (defaultProvider().equals("local") && primary.perTenant()) ? primary.base() : null;
	}

	/**
	 * Returns the directory that contains the workspaces of a tree of agents.
	 * @return the directory, or the parent of the directories of the tenants; null if the
	 * default workspace is a different one
	 */
	public @Nullable Path directoryOfTasks() {
		String dataDir = this.task.dataDir();
		return (defaultProvider().equals(TASK) && dataDir != null) ? RootTemplate.parse(dataDir).base() : null;
	}

	/**
	 * Returns whether a provider follows these properties. A provider of the application,
	 * which replaces that of Kairo, does not.
	 * @param provider the provider
	 * @return whether the properties describe its workspaces
	 */
	public boolean applyTo(WorkspaceProvider provider) {
		return provider instanceof LeasingWorkspaceProvider;
	}

	@Override
	public WorkspaceProvider restricted(WorkspaceProvider provider) {
		return this.readOnly ? new ReadOnlyWorkspaceProvider(provider) : provider;
	}

	@Override
	public void requireApart(String property, Path directory) {
		PrivateDirectoryCheck.requireApart(property, directory, this);
	}

	/**
	 * Returns the policy for changes to files.
	 */
	WritePolicy writePolicy() {
		return new WritePolicy(this.readOnly, this.protectedPaths, this.allowedPrefixes);
	}

	NameMatching nameMatching() {
		if (this.caseInsensitive == null) {
			return NameMatching.BY_PATH_POLICY;
		}
		return this.caseInsensitive ? NameMatching.CASE_INSENSITIVE : NameMatching.FILE_SYSTEM;
	}

	/**
	 * Returns a description of the workspace of sessions that request none, for a log or
	 * a page.
	 * @return the directories and the policy, or the kind of workspace, in one line
	 */
	public String description() {
		return WorkspaceDescription.of(this);
	}

	private static void requireText(String property, List<String> directories) {
		if (directories.stream().anyMatch(String::isBlank)) {
			throw invalid(property, directories, "one of them is blank: name a directory");
		}
	}

	private static void requirePaths(String property, List<String> paths, UnaryOperator<String> canonical) {
		for (String path : paths) {
			try {
				if (path.startsWith("/") || !canonical.apply(path).equals(path)) {
					throw invalid(property, path, "it is not a canonical path below a root: write it like .git/hooks");
				}
			}
			catch (WorkspacePathException ex) {
				throw invalid(property, path, String.valueOf(ex.getMessage()));
			}
		}
	}

	private static String onlyPrimary(PathPolicy policy) {
		return "under kairo.workspace.path-policy=" + spelled(policy)
				+ " only the primary root is accessible: remove the others, or use the policy roots";
	}

	static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.workspace." + property, value, reason);
	}

	static String spelled(PathPolicy policy) {
		return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}

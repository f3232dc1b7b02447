package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Where the files of the agents are.
 *
 * @param roots directories of the workspace. The first is the primary one: relative paths
 * and commands start there. By default the current directory of the application. With the
 * segment {tenant} each tenant has a directory of its own, made when it is missing;
 * without it other tenants than the default one are refused.
 * @param addDirs further directories that belong to the workspace. Without the segment
 * {tenant} they are shared by all tenants.
 * @param provider the provider of hints without a scheme.
 * @param hint names the workspace of sessions that ask for none, as memory:scratch does.
 * By default that of no hint, which is the primary root for the provider local.
 * @param pathPolicy which paths are accepted. With the provider task always
 * relative-only.
 * @param readOnly whether files may only be read.
 * @param caseInsensitive whether a name that is not there means the only entry whose name
 * differs in case alone.
 * @param protectedPaths paths below each root that nobody writes, creates, moves or
 * deletes, with all that is below them. By default those by which a Git repository makes
 * whoever works in it run commands. Empty means none.
 * @param allowedPrefixes paths below each root outside of which nothing is written. Empty
 * means everywhere.
 * @param strictCwd whether a command that ends outside of the workspace leads back to the
 * primary root. Otherwise the next command starts where it ended, while relative paths of
 * file tools keep starting in the last directory inside the workspace; not where commands
 * are confined to it.
 * @param idleTimeout after how long without a use a workspace is released that the
 * application acquired through the WorkspaceProvider and did not release. Sessions have a
 * time-out of their own, kairo.tools.session-timeout.
 * @param closeTimeout how long the end of the application waits until every workspace is
 * released.
 * @param task workspaces that the agents of a tree inherit from their ancestors.
 * @param quota how much the files of a workspace may take.
 * @param ephemeral workspaces that are made for one session and go with it.
 * @param git workspaces that are checkouts of remote Git repositories.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.workspace", ignoreUnknownFields = false)
public record WorkspaceProperties(@DefaultValue(".") List<String> roots, @DefaultValue List<String> addDirs,
		@DefaultValue("local") String provider, @Nullable String hint, @Nullable PathPolicy pathPolicy,
		@DefaultValue("false") boolean readOnly, @DefaultValue("false") boolean caseInsensitive, @DefaultValue( {
				".git/hooks", ".git/config", ".git/config.worktree", ".git/modules" }) List<String> protectedPaths,
		@DefaultValue List<String> allowedPrefixes, @DefaultValue("true") boolean strictCwd,
		@DefaultValue("24h") Duration idleTimeout, @DefaultValue("30s") Duration closeTimeout,
		@NestedConfigurationProperty @DefaultValue TaskProperties task,
		@NestedConfigurationProperty @DefaultValue QuotaProperties quota,
		@NestedConfigurationProperty @DefaultValue EphemeralProperties ephemeral,
		@NestedConfigurationProperty @DefaultValue GitProperties git){

	private static final String TASK = "task";

	/**
	 * Creates the value.
	 * @param roots directories of the workspace, the primary one first
	 * @param addDirs further directories that belong to the workspace
	 * @param provider the scheme of the provider of hints without one
	 * @param hint names the workspace of sessions that ask for none, null for the default
	 * @param pathPolicy which paths are accepted
	 * @param readOnly whether files may only be read
	 * @param caseInsensitive whether a name may mean an entry whose name differs in case
	 * @param protectedPaths paths below each root that nobody changes
	 * @param allowedPrefixes paths below each root outside of which nothing is written
	 * @param strictCwd whether a command that ends outside leads back to the primary root
	 * @param idleTimeout after how long without a use a workspace is released, above zero
	 * @param closeTimeout how long the end of the application waits, above zero
	 * @param task workspaces of a tree of agents
	 * @param quota how much the files of a workspace may take
	 * @param ephemeral workspaces that go with their session
	 * @param git workspaces that are checkouts of remote Git repositories
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
		requirePaths("protected-paths", protectedPaths);
		requirePaths("allowed-prefixes", allowedPrefixes);
		requirePositive("idle-timeout", idleTimeout);
		requirePositive("close-timeout", closeTimeout);
	}

	/**
	 * Returns which paths are accepted.
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
	 * Returns the roots and the added directories.
	 * @return the primary one first; what must exist of them does
	 * @throws InvalidConfigurationPropertyValueException if it does not, or if tenants
	 * would meet in one of them
	 */
	List<RootTemplate> templates() {
		return RootTemplates.of(this);
	}

	/**
	 * Returns which provider makes the workspace of sessions that ask for none: that of
	 * the hint, which names it by its scheme, else the one of hints without a scheme.
	 * @return a scheme
	 */
	public String defaultProvider() {
		return Objects.requireNonNullElse(WorkspaceHint.parse(this.hint).scheme(), this.provider);
	}

	/**
	 * Returns the directory that those of the tenants are made in.
	 * @return the directory, null if the default workspace is not divided by tenants
	 */
	public @Nullable Path directoryOfTenants() {
		RootTemplate primary = RootTemplate.parse(this.roots.get(0));
		return (defaultProvider().equals("local") && primary.perTenant()) ? primary.base() : null;
	}

	/**
	 * Returns the directory that the workspaces of a tree of agents are made in.
	 * @return the directory, or what is above those of the tenants; null if the default
	 * workspace is another one
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

	/**
	 * Returns what may be written.
	 */
	WritePolicy writePolicy() {
		return new WritePolicy(this.readOnly, this.protectedPaths, this.allowedPrefixes);
	}

	NameMatching nameMatching() {
		return this.caseInsensitive ? NameMatching.CASE_INSENSITIVE : NameMatching.FILE_SYSTEM;
	}

	/**
	 * Describes the workspace for people: what sessions have that ask for nothing else.
	 * @return the directories and the policy, or what else there is, in one line
	 */
	public String description() {
		return WorkspaceDescription.of(this);
	}

	private static void requireText(String property, List<String> directories) {
		if (directories.stream().anyMatch(String::isBlank)) {
			throw invalid(property, directories, "one of them is blank: name a directory");
		}
	}

	private static void requirePositive(String property, Duration value) {
		if (value.isNegative() || value.isZero()) {
			throw invalid(property, value, "it must be above zero, such as 30s");
		}
	}

	private static void requirePaths(String property, List<String> paths) {
		for (String path : paths) {
			try {
				if (path.startsWith("/") || !WorkspacePath.canonicalize(path).equals(path)) {
					throw invalid(property, path, "it is not a path below a root: write it like .git/hooks");
				}
			}
			catch (WorkspacePathException ex) {
				throw invalid(property, path, String.valueOf(ex.getMessage()));
			}
		}
	}

	private static String onlyPrimary(PathPolicy policy) {
		return "under kairo.workspace.path-policy=" + spelled(policy)
				+ " only the primary root can be named: remove the others or use the policy roots";
	}

	static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.workspace." + property, value, reason);
	}

	static String spelled(PathPolicy policy) {
		return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}

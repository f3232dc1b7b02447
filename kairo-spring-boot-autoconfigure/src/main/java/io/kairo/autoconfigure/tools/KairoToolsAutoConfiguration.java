package io.kairo.autoconfigure.tools;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.sandbox.OnCommandsWanted;
import io.kairo.autoconfigure.sandbox.SandboxChoice;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.autoconfigure.workspace.IdleExpiry;
import io.kairo.autoconfigure.workspace.UnenforcedPolicies;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.boot.KairoProperties;
import io.kairo.boot.OfferedTools;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.AgentTool;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.command.WorkingDirectoryPolicy;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.file.InfoOptions;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListFilesTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WorkspaceInfoTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.history.CommitTool;
import io.kairo.tools.history.DiffTool;
import io.kairo.tools.history.PushTool;
import io.kairo.tools.history.WriteBackTool;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.local.repository.RepositoryGuard;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the tools: the {@link ToolCatalog} of all {@link AgentTool} and
 * {@link ToolInterceptor} beans, and the {@link AgentSessions}.
 */
@AutoConfiguration(after = { KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass(ToolCatalog.class)
@ConditionalOnBean({ WorkspaceProvider.class, WorkspaceFilesFactory.class })
@EnableConfigurationProperties({ KairoProperties.class, SandboxProperties.class, ToolsProperties.class })
@Import({ BackgroundToolsConfiguration.class, CheckpointToolsConfiguration.class, TaskToolsConfiguration.class,
		ToolLoggingConfiguration.class })
public final class KairoToolsAutoConfiguration {

	/** The bean that the history of workspaces needs. */
	private static final String GIT = "kairoGitWorkspaces";

	KairoToolsAutoConfiguration() {
	}

	@Bean
	@Order(100)
	@ConditionalOnMissingBean({ ReadTool.class, ReadFileTool.class })
	ReadTool kairoReadTool(ToolsProperties properties) {
		return new ReadTool(properties.read().options(properties.write(), properties.search()));
	}

	@Bean
	@Order(200)
	@ConditionalOnMissingBean({ WriteTool.class, WriteFileTool.class })
	WriteTool kairoWriteTool(ToolsProperties properties) {
		return new WriteTool(properties.write().options());
	}

	@Bean
	@Order(300)
	@ConditionalOnMissingBean
	EditTool kairoEditTool(ToolsProperties properties) {
		return new EditTool(properties.edit().options(properties.search()), properties.naming());
	}

	@Bean
	@Order(310)
	@ConditionalOnMissingBean
	MultiEditTool kairoMultiEditTool(ToolsProperties properties) {
		return new MultiEditTool(properties.edit().options(properties.search()), properties.naming());
	}

	@Bean
	@Order(320)
	@ConditionalOnMissingBean
	ApplyPatchTool kairoApplyPatchTool(ToolsProperties properties, TrashStore trash) {
		return new ApplyPatchTool(properties.edit().options(properties.search()), trash, properties.naming());
	}

	@Bean
	@Order(400)
	@ConditionalOnMissingBean({ ListTool.class, ListFilesTool.class })
	ListTool kairoListTool(ToolsProperties properties) {
		return new ListTool(properties.list().options(properties.search()));
	}

	@Bean
	@Order(500)
	@ConditionalOnMissingBean({ InfoTool.class, WorkspaceInfoTool.class })
	InfoTool kairoInfoTool(ToolsProperties properties) {
		return new InfoTool(new InfoOptions(properties.search().deadline()));
	}

	@Bean
	@Order(600)
	@ConditionalOnMissingBean
	GlobTool kairoGlobTool(ToolsProperties properties) {
		return new GlobTool(properties.glob().options(properties.search()), properties.naming());
	}

	@Bean
	@Order(700)
	@ConditionalOnMissingBean
	GrepTool kairoGrepTool(ToolsProperties properties) {
		return new GrepTool(properties.grep().options(properties.search()), properties.naming());
	}

	@Bean
	@Order(710)
	@ConditionalOnMissingBean
	MoveTool kairoMoveTool(ToolsProperties properties) {
		return new MoveTool(properties.search().deadline(), properties.naming());
	}

	@Bean
	@Order(720)
	@ConditionalOnMissingBean
	CopyTool kairoCopyTool(ToolsProperties properties) {
		return new CopyTool(properties.search().deadline(), properties.naming());
	}

	@Bean
	@ConditionalOnMissingBean
	TrashStore kairoTrash(ToolsProperties properties, KairoProperties kairo) {
		return new TrashStore(kairo.stateDirectory().resolve("trash"), properties.trash().options(), Clock.systemUTC(),
				properties.background().maxLifetime());
	}

	@Bean
	@Lazy(false)
	IdleExpiry kairoTrashExpiry(TrashStore trash, ToolsProperties properties) {
		return new IdleExpiry("deletions", properties.trash().maxAge(), trash::sweep);
	}

	@Bean
	@Order(730)
	@ConditionalOnMissingBean
	DeleteTool kairoDeleteTool(TrashStore trash, ToolsProperties properties) {
		return new DeleteTool(trash, properties.search().deadline(), properties.naming());
	}

	@Bean
	@Order(740)
	@ConditionalOnMissingBean
	UndeleteTool kairoUndeleteTool(TrashStore trash, ToolsProperties properties) {
		return new UndeleteTool(trash, properties.naming());
	}

	@Bean
	@Order(800)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = GIT)
	DiffTool kairoDiffTool(ToolsProperties properties) {
		return new DiffTool(properties.read().maxCharacters(), properties.naming(), properties.search().deadline());
	}

	@Bean
	@Order(810)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = GIT)
	CommitTool kairoCommitTool(ToolsProperties properties) {
		return new CommitTool(properties.naming());
	}

	@Bean
	@Order(820)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = GIT)
	PushTool kairoPushTool(ToolsProperties properties) {
		return new PushTool(properties.naming());
	}

	@Bean
	@Order(830)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = "kairoS3Workspaces")
	WriteBackTool kairoWriteBackTool(ToolsProperties properties) {
		return new WriteBackTool(properties.naming());
	}

	@Bean(initMethod = "recover")
	@ConditionalOnMissingBean
	@ConditionalOnBean(ExecutionSandbox.class)
	@Conditional(OnCommandsWanted.class)
	RepositoryGuard kairoRepositoryGuard(KairoProperties properties) {
		return new RepositoryGuard(properties.stateDirectory().resolve("repositories"));
	}

	@Bean
	@Order(900)
	@ConditionalOnMissingBean
	@ConditionalOnBean(ExecutionSandbox.class)
	@Conditional(OnCommandsWanted.class)
	BashTool kairoBashTool(SandboxProperties properties, ToolsProperties tools,
			ObjectProvider<WorkspaceProperties> workspace, RepositoryGuard repositories) {
		WorkspaceProperties workspaces = workspace.getIfAvailable();
		WorkingDirectoryPolicy leaving = (workspaces == null || workspaces.strictCwd()) ? WorkingDirectoryPolicy.RESETS
				: WorkingDirectoryPolicy.CARRIES_COMMANDS;
		Map<String, BashOptions> tenants = new HashMap<>();
		properties.tenants().keySet().forEach((tenant) -> tenants.put(tenant, bash(properties.of(tenant), leaving)));
		boolean tasks = workspaces != null && workspaces.provider().equals("task");
		return new BashTool(bash(properties, leaving), tools.naming(), tenants,
				tasks ? WorkspaceKind.TASK : WorkspaceKind.LOCAL, repositories);
	}

	private static BashOptions bash(SandboxProperties properties, WorkingDirectoryPolicy leaving) {
		return new BashOptions(properties.timeout(), properties.maxTimeout(), properties.maxOutputBytes().toBytes(),
				properties.tailBytes().toBytes(), leaving);
	}

	@Bean
	EnabledTools kairoEnabledTools(ToolsProperties properties, ObjectProvider<AgentTool> tools) {
		return new EnabledTools(properties, properties.select(tools.orderedStream()));
	}

	@Bean
	OfferedTools kairoOfferedTools(ToolsProperties properties, ObjectProvider<AgentTool> tools,
			ObjectProvider<WorkspaceProperties> workspace, WorkspaceProvider provider, Environment environment) {
		WorkspaceProperties workspaces = workspace.getIfAvailable();
		String usual = (workspaces != null && workspaces.applyTo(provider)) ? workspaces.defaultProvider() : null;
		Map<String, String> identities = new HashMap<>();
		properties.select(tools.orderedStream())
			.forEach((tool) -> identities.put(tool.definition().name(),
					Objects.requireNonNullElse(tool.definition().identity(), "")));
		return new OfferedTools(identities, usual, environment);
	}

	@Bean
	@ConditionalOnMissingBean
	ToolCatalog kairoToolCatalog(ToolsProperties properties, ObjectProvider<AgentTool> tools, EnabledTools enabled,
			ObjectProvider<ToolInterceptor> interceptors, ObjectProvider<ToolCatalogCustomizer> customizers) {
		List<AgentTool> selected = new ArrayList<>(properties.select(tools.orderedStream()));
		selected.removeIf((tool) -> !enabled.ofAnyTenant().contains(tool.definition().name()));
		List<ToolInterceptor> around = new ArrayList<>(interceptors.orderedStream().toList());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(selected, around));
		return ToolCatalog.of(selected, around);
	}

	@Bean
	@ConditionalOnMissingBean
	AgentSessions kairoAgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files,
			ObjectProvider<ExecutionSandbox> sandbox, ToolsProperties properties, KairoProperties kairo,
			ObjectProvider<WorkspaceProperties> workspace, ObjectProvider<CheckpointStore> checkpoints) {
		WorkspaceProperties defaults = workspace.getIfAvailable();
		WorkspaceProvider keeping = (provider instanceof LeasingWorkspaceProvider leasing) ? leasing.keeping()
				: provider;
		return new AgentSessions(keeping, files, sandbox.getIfAvailable(() -> (request) -> {
			throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "This application runs no commands",
					"set kairo.sandbox.type to a value other than none");
		}), new SessionBounds(properties.sessionTimeout(), properties.maxSessions()),
				(defaults != null) ? new SessionDefaults(defaults.hint(), !defaults.readOnly()) : SessionDefaults.NONE,
				OutputStore.lasting(kairo.stateDirectory().resolve("outputs"), properties.output().options(),
						Clock.systemUTC()),
				new BackgroundCommands(properties.background().options()), checkpoints.getIfAvailable());
	}

	@Bean
	@Lazy(false)
	IdleExpiry kairoSessionExpiry(AgentSessions sessions, ToolsProperties properties) {
		return new IdleExpiry("sessions", properties.sessionTimeout(), sessions::expire);
	}

	@Bean
	@Lazy(false)
	StartupReport kairoStartupReport(ToolCatalog catalog, WorkspaceProvider provider,
			ObjectProvider<WorkspaceProperties> workspace, ObjectProvider<ExecutionSandbox> sandbox,
			ObjectProvider<SandboxChoice> choice) {
		WorkspaceProperties properties = workspace.getIfAvailable();
		if (properties != null && properties.applyTo(provider)) {
			return new StartupReport(catalog, properties.description(), sandbox.getIfAvailable(), choice,
					(capabilities) -> UnenforcedPolicies.summary(properties, capabilities));
		}
		return new StartupReport(catalog, "by " + provider.getClass().getName(), sandbox.getIfAvailable(), choice,
				(capabilities) -> List.of());
	}

}

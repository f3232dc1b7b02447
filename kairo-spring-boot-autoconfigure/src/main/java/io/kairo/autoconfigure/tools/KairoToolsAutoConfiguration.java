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
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
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
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
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
@Import({ CheckpointToolsConfiguration.class, CommandToolsConfiguration.class, TaskToolsConfiguration.class,
		ToolLoggingConfiguration.class })
public final class KairoToolsAutoConfiguration {

	/** The bean that the history of workspaces needs. */
	private static final String GIT = "kairoGitWorkspaces";

	private final ToolsProperties properties;

	private final KairoProperties kairo;

	private final @Nullable WorkspaceProperties workspaces;

	KairoToolsAutoConfiguration(ToolsProperties properties, KairoProperties kairo,
			ObjectProvider<WorkspaceProperties> workspaces) {
		this.properties = properties;
		this.kairo = kairo;
		this.workspaces = workspaces.getIfAvailable();
	}

	@Bean
	@Order(100)
	@ConditionalOnMissingBean({ ReadTool.class, ReadFileTool.class })
	ReadTool kairoReadTool() {
		return new ReadTool(this.properties.read().options(this.properties.write(), this.properties.search()));
	}

	@Bean
	@Order(200)
	@ConditionalOnMissingBean({ WriteTool.class, WriteFileTool.class })
	WriteTool kairoWriteTool() {
		return new WriteTool(this.properties.write().options());
	}

	@Bean
	@Order(300)
	@ConditionalOnMissingBean
	EditTool kairoEditTool() {
		return new EditTool(this.properties.edit().options(this.properties.search()), this.properties.naming());
	}

	@Bean
	@Order(310)
	@ConditionalOnMissingBean
	MultiEditTool kairoMultiEditTool() {
		return new MultiEditTool(this.properties.edit().options(this.properties.search()), this.properties.naming());
	}

	@Bean
	@Order(320)
	@ConditionalOnMissingBean
	ApplyPatchTool kairoApplyPatchTool(TrashStore trash) {
		return new ApplyPatchTool(this.properties.edit().options(this.properties.search()), trash,
				this.properties.naming());
	}

	@Bean
	@Order(400)
	@ConditionalOnMissingBean({ ListTool.class, ListFilesTool.class })
	ListTool kairoListTool() {
		return new ListTool(this.properties.list().options(this.properties.search()));
	}

	@Bean
	@Order(500)
	@ConditionalOnMissingBean({ InfoTool.class, WorkspaceInfoTool.class })
	InfoTool kairoInfoTool() {
		return new InfoTool(new InfoOptions(this.properties.search().deadline()));
	}

	@Bean
	@Order(600)
	@ConditionalOnMissingBean
	GlobTool kairoGlobTool() {
		return new GlobTool(this.properties.glob().options(this.properties.search()), this.properties.naming());
	}

	@Bean
	@Order(700)
	@ConditionalOnMissingBean
	GrepTool kairoGrepTool() {
		return new GrepTool(this.properties.grep().options(this.properties.search()), this.properties.naming());
	}

	@Bean
	@Order(710)
	@ConditionalOnMissingBean
	MoveTool kairoMoveTool() {
		return new MoveTool(this.properties.search().deadline(), this.properties.naming());
	}

	@Bean
	@Order(720)
	@ConditionalOnMissingBean
	CopyTool kairoCopyTool() {
		return new CopyTool(this.properties.search().deadline(), this.properties.naming());
	}

	@Bean
	@ConditionalOnMissingBean
	TrashStore kairoTrash() {
		return new TrashStore(this.kairo.stateDirectory().resolve("trash"), this.properties.trash().options(),
				Clock.systemUTC(), this.properties.background().maxLifetime());
	}

	@Bean
	@Lazy(false)
	IdleExpiry kairoTrashExpiry(TrashStore trash) {
		return new IdleExpiry("deletions", this.properties.trash().maxAge(), trash::sweep);
	}

	@Bean
	@Order(730)
	@ConditionalOnMissingBean
	DeleteTool kairoDeleteTool(TrashStore trash) {
		return new DeleteTool(trash, this.properties.search().deadline(), this.properties.naming());
	}

	@Bean
	@Order(740)
	@ConditionalOnMissingBean
	UndeleteTool kairoUndeleteTool(TrashStore trash) {
		return new UndeleteTool(trash, this.properties.naming());
	}

	@Bean
	@Order(800)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = GIT)
	DiffTool kairoDiffTool() {
		return new DiffTool(this.properties.read().maxCharacters(), this.properties.naming(),
				this.properties.search().deadline());
	}

	@Bean
	@Order(810)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = GIT)
	CommitTool kairoCommitTool() {
		return new CommitTool(this.properties.naming());
	}

	@Bean
	@Order(820)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = GIT)
	PushTool kairoPushTool() {
		return new PushTool(this.properties.naming());
	}

	@Bean
	@Order(830)
	@ConditionalOnMissingBean
	@ConditionalOnBean(name = "kairoS3Workspaces")
	WriteBackTool kairoWriteBackTool() {
		return new WriteBackTool(this.properties.naming());
	}

	@Bean
	EnabledTools kairoEnabledTools(ObjectProvider<AgentTool> tools) {
		return new EnabledTools(this.properties, this.properties.select(tools.orderedStream()));
	}

	@Bean
	OfferedTools kairoOfferedTools(EnabledTools enabled, WorkspaceProvider provider, Environment environment) {
		String usual = (this.workspaces != null && this.workspaces.applyTo(provider))
				? this.workspaces.defaultProvider() : null;
		Map<String, String> identities = new HashMap<>();
		enabled.selected()
			.forEach((tool) -> identities.put(tool.definition().name(),
					Objects.requireNonNullElse(tool.definition().identity(), "")));
		return new OfferedTools(identities, usual, environment);
	}

	@Bean
	@ConditionalOnMissingBean
	ToolCatalog kairoToolCatalog(EnabledTools enabled, ObjectProvider<ToolInterceptor> interceptors,
			ObjectProvider<ToolCatalogCustomizer> customizers) {
		List<AgentTool> selected = new ArrayList<>(enabled.selected());
		selected.removeIf((tool) -> !enabled.ofAnyTenant().contains(tool.definition().name()));
		List<ToolInterceptor> around = new ArrayList<>(interceptors.orderedStream().toList());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(selected, around));
		return ToolCatalog.of(selected, around);
	}

	@Bean
	@ConditionalOnMissingBean
	AgentSessions kairoAgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files,
			ObjectProvider<ExecutionSandbox> sandbox, ObjectProvider<CheckpointStore> checkpoints) {
		WorkspaceProperties defaults = this.workspaces;
		WorkspaceProvider keeping = (provider instanceof LeasingWorkspaceProvider leasing) ? leasing.keeping()
				: provider;
		return new AgentSessions(keeping, files, sandbox.getIfAvailable(() -> (request) -> {
			throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "This application runs no commands",
					"set kairo.sandbox.type to a value other than none");
		}), new SessionBounds(this.properties.sessionTimeout(), this.properties.maxSessions()),
				(defaults != null) ? new SessionDefaults(defaults.hint(), !defaults.readOnly()) : SessionDefaults.NONE,
				OutputStore.lasting(this.kairo.stateDirectory().resolve("outputs"), this.properties.output().options(),
						Clock.systemUTC()),
				new BackgroundCommands(this.properties.background().options()), checkpoints.getIfAvailable());
	}

	@Bean
	@Lazy(false)
	IdleExpiry kairoSessionExpiry(AgentSessions sessions) {
		return new IdleExpiry("sessions", this.properties.sessionTimeout(), sessions::expire);
	}

	@Bean
	@Lazy(false)
	StartupReport kairoStartupReport(ToolCatalog catalog, WorkspaceProvider provider,
			ObjectProvider<ExecutionSandbox> sandbox, ObjectProvider<SandboxChoice> choice) {
		WorkspaceProperties known = this.workspaces;
		if (known != null && known.applyTo(provider)) {
			return new StartupReport(catalog, known.description(), sandbox.getIfAvailable(), choice,
					(capabilities) -> UnenforcedPolicies.summary(known, capabilities), known.linkedCheckouts());
		}
		return new StartupReport(catalog, "by " + provider.getClass().getName(), sandbox.getIfAvailable(), choice,
				(capabilities) -> List.of(), Map.of());
	}

}

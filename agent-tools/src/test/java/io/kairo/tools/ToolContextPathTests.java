package io.kairo.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the paths of a {@link ToolContext}.
 */
class ToolContextPathTests {

	private static final List<String> NAMES = List.of("@output", "1", "a b", "in", "nested", "-", "\u65e5\u672c");

	@TempDir
	Path temp;

	private ToolContext context(PathPolicy policy) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.temp).acquire(WorkspaceRequest.writable(null));
		return ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy)).open(workspace))
			.session(new AgentSession("s", TenantContext.SINGLE, workspace))
			.build();
	}

	@ParameterizedTest
	@EnumSource
	void displayDistinguishesFilesFromCommandOutputs(PathPolicy policy) throws IOException {
		Files.createDirectory(this.temp.resolve("@output"));
		ToolContext context = context(policy);
		WorkspacePath path = context.resolve("./@output/1");
		assertThat(context.display(path)).isEqualTo("./@output/1");
		context.session().currentDirectory(path.parent());
		assertThat(context.display(path)).isEqualTo("1");
	}

	@Test
	void badDirectoryOfApplicationFallsBackToPrimaryRoot() throws IOException {
		Files.createDirectories(this.temp.resolve("in"));
		Files.writeString(this.temp.resolve("file.txt"), "x");
		ToolContext context = context(PathPolicy.ROOTS);
		WorkspacePath root = context.files().root();
		AgentSession session = context.session();
		session.currentDirectory(root.child("in"));
		assertThat(context.resolve(null)).isEqualTo(root.child("in"));
		WorkspacePath foreign = new WorkspacePath(this.temp.resolve("in"), "");
		for (WorkspacePath bad : new WorkspacePath[] { null, root.child("missing"), root.child("file.txt"), foreign }) {
			session.currentDirectory(root.child("in"));
			assertThat(context.resolve("a")).isEqualTo(root.child("in").child("a"));
			session.currentDirectory(bad);
			assertThat(context.resolve("a")).as("%s", bad).isEqualTo(root.child("a"));
			assertThat(context.display(root.child("a"))).isEqualTo("a");
			assertThat(context.session().currentDirectory()).isEqualTo(root);
		}
	}

	@ParameterizedTest
	@EnumSource
	void blankOptionalPathIsPrimaryRoot(PathPolicy policy) throws IOException {
		Files.createDirectories(this.temp.resolve("in"));
		Files.writeString(this.temp.resolve("top.txt"), "needle");
		ToolContext context = context(policy);
		WorkspacePath in = context.resolve("in");
		context.session().currentDirectory(in);
		assertThat(context.resolveOptional(null)).isEqualTo(in);
		ToolCatalog catalog = ToolCatalog.of(AllTools.of(ToolNaming.CLAUDE), List.of());
		for (String blank : List.of("", " ", "\u00A0", "\u200B", "\uFEFF")) {
			assertThat(context.resolveOptional(blank)).isEqualTo(context.files().root());
			for (ToolCall call : List.of(new ToolCall("1", "List", Map.of("path", blank)),
					new ToolCall("2", "Glob", Map.of("path", blank, "pattern", "*")),
					new ToolCall("3", "Grep", Map.of("path", blank, "pattern", "needle")))) {
				assertThat(catalog.call(call, context).text()).as(call.name()).contains("top.txt");
			}
			assertThat(catalog.call(new ToolCall("4", "Info", Map.of("path", blank)), context).error()).isNull();
			assertThat(catalog.call(new ToolCall("5", "Read", Map.of("file_path", blank)), context).error())
				.extracting(ToolError::code)
				.isEqualTo("invalid_path");
		}
	}

	@ParameterizedTest
	@EnumSource
	void displayedPathNeverNamesOutputAndResolvesToSamePath(PathPolicy policy) {
		long seed = 20_251_122;
		Random random = new Random(seed);
		ToolContext context = context(policy);
		for (int i = 0; i < 500; i++) {
			context.session().currentDirectory(random(context, random, random.nextInt(2)));
			WorkspacePath path = random(context, random, 1 + random.nextInt(3));
			String displayed = context.display(path);
			assertThat(displayed).as("seed %d, case %d", seed, i).doesNotStartWith("@output/");
			assertThat(context.resolve(displayed)).as("seed %d, case %d: '%s'", seed, i, displayed).isEqualTo(path);
		}
	}

	@Test
	void missingPathArgumentResolvesToCurrentDirectory() throws IOException {
		Files.createDirectory(this.temp.resolve("in"));
		ToolContext context = context(PathPolicy.ROOTS);
		assertThat(context.resolve(null)).isEqualTo(context.files().root());
		WorkspacePath directory = context.resolve("in");
		context.session().currentDirectory(directory);
		assertThat(context.resolve(null)).isEqualTo(directory);
	}

	private static WorkspacePath random(ToolContext context, Random random, int depth) {
		WorkspacePath path = context.files().root();
		for (int i = 0; i < depth; i++) {
			path = path.child(NAMES.get(random.nextInt(NAMES.size())));
		}
		return path;
	}

}

package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.FileAgent;
import io.kairo.api.workspace.tck.WorkspaceAttackKit;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Attack tests for the files of a bucket, in a directory that the attacks change.
 */
class S3FilesAttackTests extends WorkspaceAttackKit {

	@TempDir
	static Path directory;

	/** Not written to by an attack. */
	private FakeStore store;

	private S3Client client;

	@BeforeAll
	void open() throws IOException {
		this.store = new FakeStore();
		this.store.put("work/remote/file.txt", "remote");
		this.client = S3Clients.create(S3Options.in(directory).endpoint(this.store.endpoint()).pathStyle(true).build());
	}

	@AfterAll
	void close() {
		this.client.close();
		this.store.close();
	}

	@Override
	protected FileAgent createAgent(Path root, WritePolicy policy) throws IOException {
		Path state = Files.createTempDirectory(directory.toRealPath(), "state");
		Bucket bucket = new Bucket(this.client, S3Location.parse("s3://bucket/work"), TenantContext.SINGLE,
				S3Server.credentials(), S3Encryption.BUCKET_DEFAULT, S3Limits.DEFAULTS);
		Overlay overlay = new Overlay(bucket, new TreeState(state.resolve("log")),
				new LocalTree(root, DirectoryOpener.platform()), Files.createDirectory(state.resolve("staging")));
		S3Sync sync = new S3Sync(overlay, true, false, () -> {
		});
		return FileAgent
			.of(new OverlayFiles(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy))
				.open(new AttackedWorkspace(root)), overlay, sync));
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "On files", "s3");
	}

	@Override
	protected Map<String, Declared> declared() {
		Map<String, Declared> declared = new LinkedHashMap<>();
		for (String id : List.of("swap-while-restoring", "restore-through-link", "trash-by-path", "trash-of-tenant",
				"full-trash")) {
			declared.put(id, Declared.absent("only the tools have a trash"));
		}
		for (String id : List.of("swap-while-undoing", "undo-through-link", "commit-through-link",
				"swap-while-committing", "undo-by-path", "undo-of-tenant")) {
			declared.put(id, Declared.absent("only what sessions of tools change is recorded"));
		}
		return declared;
	}

	/**
	 * A workspace in a directory.
	 *
	 * @param root the directory
	 */
	private record AttackedWorkspace(Path root) implements Workspace {

		@Override
		public String id() {
			return "s3:attacked";
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.OBJECT_STORE;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}

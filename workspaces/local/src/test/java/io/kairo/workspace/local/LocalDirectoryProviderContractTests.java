package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.tck.FullDiskSubject;
import io.kairo.api.workspace.tck.FullDiskTrial;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for {@link LocalDirectoryWorkspaceProvider}.
 */
class LocalDirectoryProviderContractTests extends WorkspaceProviderContract {

	@TempDir
	Path temp;

	@Override
	protected WorkspaceProvider createProvider() throws IOException {
		TestWorkspaces.directory(this.temp.resolve("one"));
		TestWorkspaces.file(this.temp.resolve("file"), "x");
		TestWorkspaces.link(this.temp.resolve("link"), "nowhere");
		return new LocalDirectoryWorkspaceProvider(this.temp);
	}

	@Override
	protected List<@Nullable String> hints() {
		return Arrays.asList(null, "one");
	}

	@Override
	protected List<String> badHints() {
		return List.of("missing", "file", "a\0b", "local:missing", "file/below");
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of("missing", WorkspaceErrorCode.FILE_NOT_FOUND, "file", WorkspaceErrorCode.NOT_A_DIRECTORY, "link",
				WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Override
	protected boolean hintsLeadAnywhere() {
		return true;
	}

	@Override
	protected List<String> deniedHints() throws IOException {
		Path denied = TestWorkspaces.directory(this.temp.resolve("denied"));
		TestWorkspaces.directory(denied.resolve("below"));
		Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("---------"));
		OrdinaryUser.required(!Files.isReadable(denied));
		return List.of("denied", "denied/below");
	}

	@Override
	protected List<Path> places() {
		return List.of(this.temp);
	}

	@AfterEach
	void giveBackWhatWasDenied() throws IOException {
		if (Files.exists(this.temp.resolve("denied"))) {
			Files.setPosixFilePermissions(this.temp.resolve("denied"), PosixFilePermissions.fromString("rwx------"));
		}
	}

	@Override
	protected Class<? extends FullDiskTrial> fullDiskTrial() {
		return ADirectoryOfTenants.class;
	}

	/**
	 * A tenant whose directory does not exist yet.
	 */
	static final class ADirectoryOfTenants implements FullDiskTrial {

		@Override
		public FullDiskSubject prepare(Path directory, List<String> arguments) throws IOException {
			Path tenants = Files.createDirectory(directory.resolve("tenants"));
			return new FullDiskSubject(
					new WorkspaceProviderRegistration("local",
							new LocalDirectoryWorkspaceProvider(
									List.of(RootTemplate.parse(tenants + "/" + RootTemplate.TENANT)), "default"),
							new LocalWorkspaceFilesFactory(
									LocalFilesOptions.DEFAULTS.withStateDirectory(directory.resolve("state")))),
					new WorkspaceRequest(null, new TenantContext("acme", "ann"), true));
		}

	}

}

package io.kairo.workspace.ephemeral;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.tck.FullDiskSubject;
import io.kairo.api.workspace.tck.FullDiskTrial;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.OrdinaryUser;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.MemoryDirectory;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for {@link EphemeralWorkspaceProvider}.
 */
class EphemeralProviderContractTests extends WorkspaceProviderContract {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private final List<EphemeralWorkspaceProvider> providers = new ArrayList<>();

	@Override
	protected WorkspaceProvider createProvider() throws IOException {
		Path seeds = this.temp.resolve("seeds");
		Files.createDirectories(seeds.resolve("one"));
		Files.writeString(seeds.resolve("one/file"), "x");
		Files.createSymbolicLink(seeds.resolve("out"), Path.of("/"));
		Files.createDirectories(seeds.resolve("huge"));
		try (RandomAccessFile huge = new RandomAccessFile(seeds.resolve("huge/file").toFile(), "rw")) {
			huge.setLength(10_000_000_000L); // takes no space here, but would in a copy
		}
		EphemeralWorkspaceProvider provider = new EphemeralWorkspaceProvider(
				EphemeralOptions.in(this.temp.resolve("made"))
					.withSeeds(List.of(RootTemplate.parse(seeds.toString())))
					.withBounds(new CopyBounds(1000, 1_000_000)));
		this.providers.add(provider);
		return provider;
	}

	@AfterEach
	void cleanUp() throws IOException {
		Path denied = this.temp.resolve("seeds/denied");
		if (Files.exists(denied)) {
			Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("rwx------"));
		}
		this.providers.forEach(EphemeralWorkspaceProvider::close);
	}

	@Override
	protected boolean freshForEachAcquire() {
		return true;
	}

	@Override
	protected List<@Nullable String> hints() {
		return Arrays.asList("ephemeral:one", null, "one", "ephemeral:");
	}

	@Override
	protected List<String> badHints() {
		return List.of("ephemeral:missing", "one/file", "ephemeral:out", "out/etc", "/etc", "ephemeral:..", "a\0b");
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of("missing", WorkspaceErrorCode.FILE_NOT_FOUND, "huge", WorkspaceErrorCode.TOO_LARGE, "one/file",
				WorkspaceErrorCode.NOT_A_DIRECTORY, "out", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, "/etc",
				WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, "/no/such/place", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
				"..", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	@Override
	protected String hintFor(String name) {
		return "ephemeral:" + name;
	}

	@Override
	protected List<String> deniedHints() throws IOException {
		Path denied = Files.createDirectories(this.temp.resolve("seeds/denied"));
		Files.createDirectories(denied.resolve("below"));
		Path inside = Files.createDirectories(this.temp.resolve("seeds/inside"));
		Files.writeString(inside.resolve("file"), "x");
		Files.setPosixFilePermissions(inside.resolve("file"), PosixFilePermissions.fromString("---------"));
		Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("---------"));
		OrdinaryUser.required(!Files.isReadable(denied));
		return List.of("denied", "ephemeral:denied/below", "inside");
	}

	@Override
	protected List<Path> places() {
		return List.of(this.temp);
	}

	@Override
	protected Class<? extends FullDiskTrial> fullDiskTrial() {
		return ASeedOfAMegabyte.class;
	}

	@Override
	protected List<String> fullDiskArguments() throws IOException {
		Path large = Files.createDirectories(this.temp.resolve("seeds/large/below"));
		for (int i = 0; i < 10; i++) {
			Files.write(large.resolve("file-" + i), new byte[100_000]);
		}
		return List.of(this.temp.resolve("seeds").toString());
	}

	/**
	 * The writes for which there is not always space.
	 */
	static final class ASeedOfAMegabyte implements FullDiskTrial {

		@Override
		public FullDiskSubject prepare(Path directory, List<String> arguments) {
			return new FullDiskSubject(
					new WorkspaceProviderRegistration("ephemeral",
							new EphemeralWorkspaceProvider(EphemeralOptions.in(directory.resolve("made"))
								.withSeeds(List.of(RootTemplate.parse(arguments.get(0))))),
							new LocalWorkspaceFilesFactory(
									LocalFilesOptions.DEFAULTS.withStateDirectory(directory.resolve("state")))),
					WorkspaceRequest.writable("ephemeral:large"));
		}

	}

}

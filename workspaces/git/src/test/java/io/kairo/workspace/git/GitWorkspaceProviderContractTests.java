package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.tck.FullDiskSubject;
import io.kairo.api.workspace.tck.FullDiskTrial;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of the contract of workspace providers, with both clients.
 */
@ExtendWith(GitProgram.class)
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class GitWorkspaceProviderContractTests extends WorkspaceProviderContract {

	private static final int LARGEST_CHECKOUT = 5_000_000;

	@Parameter
	GitClientKind client;

	@TempDir
	Path directory;

	private final RepositoryTemplates templates;

	private TestRepository repository;

	private GitWorkspaceProvider provider;

	GitWorkspaceProviderContractTests(RepositoryTemplates templates) {
		this.templates = templates;
	}

	private static void addHugeBranch(TestRepository repository) throws IOException {
		GitProgram.run(repository.work(), "checkout", "-q", "-b", "huge");
		Files.write(repository.work().resolve("zeros.bin"), new byte[LARGEST_CHECKOUT + 1]);
		repository.commit("huge.txt", "x\n", "Add a file that is too large");
		GitProgram.run(repository.work(), "checkout", "-q", "main");
		repository.publish();
	}

	@AfterEach
	void close() {
		this.provider.close();
	}

	@Override
	protected WorkspaceProvider createProvider() throws Exception {
		Path base = this.directory.toRealPath();
		this.repository = this.templates.copyTo(base, getClass(), GitWorkspaceProviderContractTests::addHugeBranch);
		this.provider = new GitWorkspaceProvider(GitOptions.in(base.resolve("state"))
			.withClient(this.client)
			.withAllowedUrls("file://")
			.withLimits(new GitLimits(Duration.ofMinutes(2), 1 << 30, LARGEST_CHECKOUT, 1 << 20))
			.withFetchAfter(Duration.ofHours(1)), GitCredentials.NONE);
		return this.provider;
	}

	@Override
	protected List<@Nullable String> hints() {
		return List.of(this.repository.hint(), this.repository.hint() + "#one");
	}

	@Override
	protected List<String> badHints() {
		return List.of("git:", "git:x", "git:https://example.org/x", "git:ext::sh -c id", "git:--upload-pack=id",
				"git:ftp://example.org/x", "git:file:///a/../b", this.repository.hint() + "#-x",
				this.repository.hint() + "#a..b", this.repository.hint() + "#",
				this.repository.hint() + "#" + "x".repeat(300), this.repository.hint() + "#a\0b", "git:file://host/x",
				"git:git@example.org:x/y.git");
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of(this.repository.hint() + "#no-such-branch", WorkspaceErrorCode.REF_NOT_FOUND,
				this.repository.hint() + "#huge", WorkspaceErrorCode.TOO_LARGE,
				"git:file://" + this.repository.bare().resolveSibling("no-such-repository"),
				WorkspaceErrorCode.REMOTE_REFUSED, "git:https://example.org/not-allowed",
				WorkspaceErrorCode.INVALID_PATH);
	}

	@Override
	protected String hintFor(String name) {
		return this.repository.hint() + "#" + name;
	}

	@Override
	protected List<Path> places() {
		return List.of(this.repository.bare().resolveSibling("state/checkouts"),
				this.repository.bare().resolveSibling("state/stores"));
	}

	@Override
	protected boolean freshForEachAcquire() {
		return true;
	}

	@Override
	protected Class<? extends FullDiskTrial> fullDiskTrial() {
		return UnfetchedRemote.class;
	}

	@Override
	protected List<String> fullDiskArguments() throws IOException {
		byte[] noise = new byte[600_000];
		new Random(7).nextBytes(noise);
		Files.write(this.repository.work().resolve("noise.bin"), noise);
		this.repository.commit("many/x.txt", "x\n", "Add noise");
		this.repository.publish();
		return List.of(this.repository.hint(), this.client.name());
	}

	/**
	 * A provider that has not fetched yet, and may lack space for the store and for the
	 * checkout.
	 */
	static final class UnfetchedRemote implements FullDiskTrial {

		@Override
		public FullDiskSubject prepare(Path directory, List<String> arguments) {
			GitWorkspaceProvider provider = new GitWorkspaceProvider(GitOptions.in(directory.resolve("git"))
				.withClient(GitClientKind.valueOf(arguments.get(1)))
				.withAllowedUrls("file://"), GitCredentials.NONE);
			return new FullDiskSubject(
					new WorkspaceProviderRegistration("git", provider,
							new LocalWorkspaceFilesFactory(
									LocalFilesOptions.DEFAULTS.withStateDirectory(directory.resolve("state")))),
					WorkspaceRequest.writable(arguments.get(0)));
		}

	}

}

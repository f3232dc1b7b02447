package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Paths that are protected at any depth, and the repositories of Git.
 */
abstract class AnyDepthContract extends ContractPart {

	private static final WritePolicy POLICY = new WritePolicy(false,
			List.of("**/.git/hooks", "**/.git/config", "**/.git/commondir", "**/a/secret"), List.of());

	private static final int ROUNDS = 20;

	AnyDepthContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	@BeforeEach
	void protect() throws IOException {
		Map<String, String> content = new TreeMap<>(CONTENT);
		for (String path : List.of("kb/lib/.git/hooks/x", "box/a/secret", "box/a/other", "bare/HEAD", "bare/objects/x",
				"bare/refs/x", "bare/config", "linked/HEAD", "linked/commondir", "parts/HEAD", "parts/objects/x")) {
			content.put(path, "x");
		}
		this.files = this.suite.createFiles(POLICY, content);
	}

	private void assertProtected(WorkspaceChange change) {
		assertRefused(change, WorkspaceErrorCode.PROTECTED_PATH);
		assertRefused(Changes.batch(Changes.write(path("before"), "x"), change), WorkspaceErrorCode.PROTECTED_PATH);
	}

	private boolean exists(String path) {
		return this.files.info(path(path)).isOk();
	}

	@ParameterizedTest
	@ValueSource(strings = { ".git/hooks", "kb/.git/hooks/pre-commit", "kb/lib/.git/hooks/y", "kb/new/er/.git/config",
			"kb/.git/commondir", "a/secret", "kb/a/secret/below" })
	void protectedPathIsNotChangedAtAnyDepth(String path) {
		assertProtected(Changes.write(path(path), "x"));
		assertProtected(new CreateDirectory(path(path)));
		assertProtected(Changes.copyOver(path("a.txt"), path(path)));
		assertProtected(Changes.moveOver(path("a.txt"), path(path)));
		assertProtected(Changes.moveOver(path("parts"), path(path)));
	}

	@ParameterizedTest
	@ValueSource(strings = { ".git", "kb/.git", "kb/new/.git", "kb/a" })
	void nothingButAnEmptyDirectoryIsPutAboveProtectedPath(String path) {
		assertProtected(Changes.write(path(path), "gitdir: elsewhere"));
		assertProtected(new Copy(path("a.txt"), path(path)));
		assertProtected(new Move(path("parts"), path(path)));
		assertThat(apply(new CreateDirectory(path(path))).applied()).isTrue();
		assertThat(this.files.tryWriteFile(path + "/other", "x").isOk()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "kb/lib", "kb", "box", "bare", "linked" })
	void directoryWithProtectedPathIsNotMovedCopiedOrDeleted(String path) {
		assertProtected(new Move(path(path), path("out")));
		assertProtected(new Copy(path(path), path("out")));
		assertProtected(Changes.recursive(path(path)));
	}

	@Test
	void protectedPathIsNotDeletedOrMovedAtAnyDepth() {
		for (String path : List.of("kb/lib/.git", "kb/lib/.git/hooks", "kb/lib/.git/hooks/x", "box/a", "box/a/secret",
				"bare/config")) {
			assertProtected(Changes.recursive(path(path)));
			assertProtected(new Move(path(path), path("out")));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "HEAD", "config", "objects/x", "refs/x", "hooks/x", "kb/config", "kb/objects/HEAD",
			"kb/.git/HEAD", "kb/.github/hooks/x", "kb/.git/hooks2", "kb/secret", "parts/config", "parts/refs2/x",
			"bare/objects/y", "bare/HEAD", "bare/refs/heads/y" })
	void unprotectedPathIsWritable(String path) {
		assertThat(this.files.tryWriteFile(path, "x").isOk()).isTrue();
		assertThat(apply(new Copy(path(path), path("copy"))).applied()).isTrue();
		assertThat(apply(new Delete(path(path))).applied()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "bare/config", "bare/hooks/pre-commit", "bare/commondir", "linked/config", "linked/hooks",
			"linked/commondir" })
	void repositoryOfAnotherNameIsProtected(String path) {
		assertProtected(Changes.write(path(path), "x"));
		assertProtected(Changes.copyOver(path("a.txt"), path(path)));
		assertProtected(Changes.moveOver(path("a.txt"), path(path)));
	}

	@ParameterizedTest
	@CsvSource({ "parts, refs", "parts, refs/heads/x", "parts, commondir", "bare/objects, ", "'', " })
	void directoryDoesNotBecomeARepository(String directory, String last) {
		if (last == null) {
			String prefix = directory.isEmpty() ? "" : directory + "/";
			assertThat(this.files.tryWriteFile(prefix + "refs/x", "x").isOk()).isTrue();
			assertThat(this.files.tryWriteFile(prefix + "objects/x", "x").isOk()).isTrue();
			assertNoRepository(prefix + "HEAD");
		}
		else {
			assertNoRepository(directory + "/" + last);
		}
	}

	private void assertNoRepository(String last) {
		assertProtected(Changes.write(path(last), "x"));
		assertProtected(new CreateDirectory(path(last)));
		assertProtected(new Copy(path("a.txt"), path(last)));
		assertProtected(new Move(path("kb/deep"), path(last)));
	}

	@Test
	void directoryDoesNotBecomeARepositoryInAnyOrder() {
		List<String> parts = List.of("HEAD", "objects/x", "refs/x", "config");
		List<int[]> orders = orders();
		for (int i = 0; i < orders.size(); i++) {
			String directory = "orders/" + i + "/";
			IntStream.of(orders.get(i)).forEach((part) -> this.files.tryWriteFile(directory + parts.get(part), "x"));
			assertThat(parts).as("order %d", i).filteredOn((part) -> exists(directory + part)).hasSize(3);
		}
		WorkspaceChange[] writes = parts.stream()
			.map((part) -> Changes.write(path("at/once/" + part), "x"))
			.toArray(WorkspaceChange[]::new);
		assertRefused(Changes.batch(writes), WorkspaceErrorCode.PROTECTED_PATH);
	}

	private static List<int[]> orders() {
		return IntStream.range(0, 256)
			.mapToObj((code) -> new int[] { code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3 })
			.filter((order) -> IntStream.of(order).distinct().count() == 4)
			.toList();
	}

	@Test
	void concurrentWritesDoNotMakeARepository() throws Exception {
		List<String> parts = List.of("HEAD", "objects/x", "refs/x");
		Race.run((number, barrier) -> {
			for (int i = 0; i < ROUNDS; i++) {
				this.files.apply(new CreateDirectory(path("race/" + i)));
				barrier.await();
				this.files.tryWriteFile("race/" + i + "/" + parts.get(number % 3), "x");
			}
			return number;
		});
		for (int i = 0; i < ROUNDS; i++) {
			String directory = "race/" + i + "/";
			assertThat(parts).as("round %d", i).filteredOn((part) -> exists(directory + part)).hasSizeBetween(1, 2);
		}
	}

	@Test
	void protectionAtAnyDepthIgnoresCase() {
		for (String path : List.of("kb/.GIT/hooks/x", "kb/.git/Hooks/x", "KB/.Git/CONFIG", "kb/A/Secret")) {
			assertProtected(Changes.write(path(path), "x"));
		}
		Stream.of("HEAD", "objects/x").forEach((part) -> this.files.tryWriteFile("kb/" + part, "x"));
		assertProtected(Changes.write(path("kb/REFS/x"), "x"));
	}

}

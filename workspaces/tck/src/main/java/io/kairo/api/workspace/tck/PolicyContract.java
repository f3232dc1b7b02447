package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The write policy.
 */
abstract class PolicyContract extends ContractPart {

	private static final WorkspaceErrorCode[] OUTSIDE = { WorkspaceErrorCode.PROTECTED_PATH,
			WorkspaceErrorCode.PERMISSION_DENIED, WorkspaceErrorCode.READ_ONLY };

	PolicyContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	private void open(WritePolicy policy) throws IOException {
		Map<String, String> content = new TreeMap<>(CONTENT);
		content.put("box/secret", "x");
		content.put("box/other", "x");
		this.files = this.suite.createFiles(policy, content);
	}

	private void protect(String... paths) throws IOException {
		open(new WritePolicy(false, List.of(paths), List.of()));
	}

	private void allow(String... prefixes) throws IOException {
		open(new WritePolicy(false, List.of(), List.of(prefixes)));
	}

	private void assertOutside(WorkspaceChange change) {
		assertRefused(change, OUTSIDE);
		assertRefused(Changes.batch(Changes.write(path("kb/deep/before"), "x"), change), OUTSIDE);
	}

	private void assertProtected(WorkspaceChange change) {
		assertRefused(change, WorkspaceErrorCode.PROTECTED_PATH);
		assertRefused(Changes.batch(Changes.write(path("before"), "x"), change), WorkspaceErrorCode.PROTECTED_PATH);
	}

	@Test
	void readOnlyPolicyRefusesEveryKindOfChange() throws IOException {
		open(WritePolicy.READ_ONLY);
		Map<String, String> before = state();
		Changes.ofEveryKind(path("a.txt"), path("target"))
			.forEach((change) -> assertFailed(this.files.apply(change), WorkspaceErrorCode.READ_ONLY));
		assertFailed(this.files.tryWriteFile("a.txt", "x"), WorkspaceErrorCode.READ_ONLY);
		assertFailed(this.files.tryCompareExchange("a.txt", "alpha", "x"), WorkspaceErrorCode.READ_ONLY);
		assertThat(state()).isEqualTo(before);
		assertThat(text("a.txt")).isEqualTo("alpha");
	}

	@Test
	void protectedPathIsNotChanged() throws IOException {
		protect("kb/deep");
		assertProtected(Changes.write(path("kb/deep/bar.md"), "x"));
		assertProtected(Changes.exchange(path("kb/deep/bar.md"), "bar", "x"));
		assertProtected(Changes.write(path("kb/deep/new/er"), "x"));
		assertProtected(new CreateDirectory(path("kb/deep/new")));
		assertProtected(new Delete(path("kb/deep/bar.md")));
		assertProtected(Changes.recursive(path("kb/deep")));
		assertProtected(new Move(path("kb/deep/bar.md"), path("out")));
		assertProtected(new Move(path("kb/deep"), path("out")));
		assertProtected(new Move(path("a.txt"), path("kb/deep/in")));
		assertProtected(new Copy(path("a.txt"), path("kb/deep/in")));
		assertProtected(Changes.copyOver(path("a.txt"), path("kb/deep/bar.md")));
		assertThat(text("kb/deep/bar.md")).isEqualTo("bar");
	}

	@Test
	void parentOfProtectedPathIsNeitherDeletedNorMoved() throws IOException {
		protect("kb/deep/bar.md");
		assertProtected(Changes.recursive(path("kb")));
		assertProtected(Changes.recursive(path("kb/deep")));
		assertProtected(new Move(path("kb"), path("out")));
		assertProtected(new Move(path("kb/deep"), path("out")));
	}

	@Test
	void protectedPathIsNotCreated() throws IOException {
		protect("new/secret");
		assertProtected(Changes.write(path("new/secret"), "x"));
		assertProtected(Changes.write(path("new/secret/below"), "x"));
		assertProtected(new CreateDirectory(path("new/secret")));
		assertProtected(new CreateDirectory(path("new/secret/below")));
		assertProtected(new Copy(path("a.txt"), path("new/secret")));
		assertProtected(new Move(path("a.txt"), path("new/secret")));
		assertProtected(new Move(path("box"), path("new")));
		assertProtected(new Copy(path("box"), path("new")));
	}

	@Test
	void unprotectedPathIsWritable() throws IOException {
		protect("kb/deep", "new/secret");
		for (String path : List.of("kb/foo.md", "kb/deeper", "kb/dee", "new/secrets", "new/other", "deep/x")) {
			assertThat(this.files.tryWriteFile(path, "x").isOk()).as(path).isTrue();
		}
		assertThat(this.files.apply(new Copy(path("kb/deep"), path("twin"))).isOk())
			.as("copying a protected directory only reads it")
			.isTrue();
	}

	@Test
	void protectionCannotBeBypassedByCaseOfPath() throws IOException {
		protect("kb/deep");
		for (String twin : List.of("KB/DEEP/BAR.MD", "kb/Deep/bar.md", "Kb/deep/bar.md")) {
			WorkspaceResult<?> result = this.files.tryWriteFile(twin, "x");
			assertThat(text("kb/deep/bar.md")).as(twin).isEqualTo("bar");
			if (!this.suite.caseSensitive()) {
				assertFailed(result, WorkspaceErrorCode.PROTECTED_PATH);
			}
		}
	}

	@Test
	void changesOutsideAllowedPathsAreRefused() throws IOException {
		allow("kb/deep", "out");
		assertOutside(Changes.write(path("a.txt"), "x"));
		assertOutside(Changes.write(path("kb/foo.md"), "x"));
		assertOutside(Changes.write(path("outer/x"), "x"));
		assertOutside(Changes.exchange(path("a.txt"), "alpha", "x"));
		assertOutside(new CreateDirectory(path("new")));
		assertOutside(new Delete(path("a.txt")));
		assertOutside(Changes.recursive(path("kb")));
		assertOutside(new Move(path("a.txt"), path("kb/deep/a.txt")));
		assertOutside(new Move(path("kb/deep/bar.md"), path("bar.md")));
		assertOutside(new Copy(path("kb/deep/bar.md"), path("bar.md")));
	}

	@Test
	void allowedPathIsWritable() throws IOException {
		allow("kb/deep", "out/far");
		assertThat(this.files.tryWriteFile("kb/deep/new/er", "x").isOk()).isTrue();
		assertThat(this.files.tryWriteFile("out/far/away", "x").isOk()).isTrue();
		assertThat(this.files.apply(new Copy(path("a.txt"), path("out/far/a.txt"))).isOk()).isTrue();
		assertThat(this.files.apply(new Move(path("kb/deep/bar.md"), path("out/far/bar.md"))).isOk()).isTrue();
		assertThat(this.files.apply(new Delete(path("out/far/a.txt"))).isOk()).isTrue();
		assertThat(text("out/far/bar.md")).isEqualTo("bar");
	}

	@Test
	void protectionOverridesAllowedPath() throws IOException {
		open(new WritePolicy(false, List.of("kb/deep"), List.of("kb")));
		assertThat(this.files.tryWriteFile("kb/foo.md", "x").isOk()).isTrue();
		assertFailed(this.files.tryWriteFile("kb/deep/bar.md", "x"), WorkspaceErrorCode.PROTECTED_PATH);
	}

}

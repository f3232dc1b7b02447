package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.kairo.api.workspace.CompareExchangeResult;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * The methods with a {@code String} path. They treat the store as a map from logical
 * paths to texts.
 */
abstract class CanonicalFormContract extends ContractPart {

	CanonicalFormContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	private List<Consumer<String>> fileMethods() {
		return List.of((path) -> this.files.tryReadFile(path), (path) -> this.files.tryReadBytes(path),
				(path) -> this.files.tryWriteFile(path, "x"), (path) -> this.files.fileExists(path),
				(path) -> this.files.tryCompareExchange(path, "x", "y"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kb/new.md", "./kb/new.md", "kb//new.md", "kb/./new.md", "/kb/new.md", "kb/new.md/",
			"//kb//new.md//", "kb\\new.md", "  kb/new.md  " })
	void everySpellingOfPathDenotesSameFile(String spelling) {
		assertThat(this.files.tryWriteFile(spelling, "one").value().actualPath()).isEqualTo("kb/new.md");
		assertThat(this.files.getFilePaths().value()).contains("kb/new.md").hasSize(CONTENT.size() + 1);
		assertThat(text("kb/new.md")).isEqualTo("one");
		assertThat(this.files.fileExists(spelling)).isTrue();
		assertThat(this.files.tryReadFile(spelling).value().actualPath()).isEqualTo("kb/new.md");
		assertThat(this.files.tryReadBytes(spelling).value()).isEqualTo(bytes("one"));
		assertThat(this.files.tryCompareExchange(spelling, "one", "two").value())
			.isEqualTo(new CompareExchangeResult(true, "kb/new.md", null));
		assertThat(text("kb/new.md")).isEqualTo("two");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "/", "//", ".", "./", "/./", "kb/../foo.md", "..", "../x", "kb\\..\\x", "a\0b",
			"a\nb", "\u00A0", "\u200B", "\uFEFF", " \u200B\u00A0", "/\uFEFF", "kb/\u200B", "kb/\u00A0/x" })
	void invalidPathThrowsInEveryFileMethod(String path) {
		Map<String, String> before = state();
		for (Consumer<String> method : fileMethods()) {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> method.accept(path));
		}
		assertThat(state()).isEqualTo(before);
	}

	@Test
	@SuppressWarnings("NullAway") // null is tested here
	void nullPathThrowsInEveryStringMethod() {
		for (Consumer<String> method : fileMethods()) {
			assertThatNullPointerException().isThrownBy(() -> method.accept(null));
		}
		assertThatNullPointerException().isThrownBy(() -> this.files.listDirectory(null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/workspace/kb/new.md", "//workspace//kb/new.md", "/./workspace/kb/new.md",
			"/workspace/workspace/kb/new.md", "workspace/kb/new.md", "/workspace", "/" })
	void absolutePathDenotesSameFileAsForTools(String spelling) {
		WorkspacePath resolved;
		try {
			resolved = this.files.resolve(spelling, root());
		}
		catch (WorkspacePathException ex) {
			return; // an absolute path is one of the host in this store
		}
		if (resolved.isRoot()) {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> this.files.tryWriteFile(spelling, "x"));
			assertThat(this.files.listDirectory(spelling, 1).value()).isEqualTo(this.files.list(root(), 1).value());
			return;
		}
		assertThat(this.files.tryWriteFile(spelling, "x").value().actualPath()).isEqualTo(resolved.relative());
		assertThat(text(resolved.relative())).isEqualTo("x");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "/", "./", "//", "/./", "   ", "\u00A0", "\u200B\uFEFF" })
	void everySpellingOfRootIsListed(String spelling) {
		assertThat(this.files.listDirectory(spelling, 1).value()).isEqualTo(this.files.list(root(), 1).value());
	}

	@Test
	void listDirectoryHasDefaultDepthOfTwo() {
		assertThat(this.files.listDirectory("/").value().entries()).extracting((entry) -> entry.path().relative())
			.containsExactly("a.txt", "kb", "kb/deep", "kb/foo.md", "zoo.txt");
		assertThat(this.files.listDirectory("./kb/", 1).value().entries()).extracting(FileInfo::path)
			.containsExactly(path("kb/deep"), path("kb/foo.md"));
	}

	@Test
	void listDirectoryRefusesParentSegments() {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> this.files.listDirectory("kb/.."));
	}

	@Test
	void filePathsAreSortedByCanonicalForm() throws IOException {
		this.files = this.suite.createFiles(WritePolicy.ALLOW_ALL, Map.of("b", "", "A/x", "", "C", "", "a/w..w", ""));
		assertThat(this.files.getFilePaths().value()).map((path) -> path.replace("A/", "a/"))
			.containsExactly("a/w..w", "a/x", "b", "C");
	}

	@Test
	void caseOfPathIsPreserved() {
		this.files.tryWriteFile("New/Foo.MD", "x");
		assertThat(this.files.getFilePaths().value()).contains("New/Foo.MD");
	}

	@Test
	void caseOfPathMattersIfStoreIsCaseSensitive() {
		this.files.tryWriteFile("KB/Foo.MD", "other");
		if (this.suite.caseSensitive()) {
			assertThat(text("kb/foo.md")).isEqualTo("foo");
			assertThat(this.files.getFilePaths().value()).contains("kb/foo.md", "KB/Foo.MD");
			assertFailed(this.files.tryReadFile("kb/FOO.md"), WorkspaceErrorCode.FILE_NOT_FOUND);
		}
		else {
			assertThat(text("kb/foo.md")).isEqualTo("other");
			assertThat(text("kb/FOO.md")).isEqualTo("other");
			assertThat(this.files.getFilePaths().value()).hasSize(CONTENT.size());
		}
	}

	@Test
	void everyListedPathIsAcceptedAsArgument() {
		Map<String, String> written = new HashMap<>(CONTENT);
		for (String odd : List.of("lead", " lead", "trail", "trail ", "kb/ lead", "kb/trail\u2003", "kb/trail",
				"\u3000lead/x", "kb/ ", "kb /x", " /x", "\u00A0lead", "trail\u00A0", "\u00A0", "\u200B/x", "a\\b",
				"a/b", "kb\\x/y", "workspace/x", "~", "-rf", "...")) {
			write(odd).ifPresent((text) -> written.put(odd, text));
		}
		List<String> paths = this.files.getFilePaths().value();
		assertThat(paths).containsAll(CONTENT.keySet())
			.contains("lead", "trail", "kb/trail", "a/b", "kb /x")
			.allSatisfy((path) -> assertThat(text(path)).as(WorkspacePath.quote(path)).isEqualTo(written.get(path)));
		FileListing all = this.files.list(root(), Integer.MAX_VALUE).value();
		for (FileInfo entry : all.entries()) {
			assertThat(this.files.resolve(this.files.display(entry.path(), root()), root())).isEqualTo(entry.path());
		}
		FileListing listing = this.files.listDirectory("", Integer.MAX_VALUE).value();
		for (FileInfo entry : listing.entries()) {
			String path = entry.path().relative();
			if (entry.type() == FileType.DIRECTORY) {
				assertThat(this.files.listDirectory(path).value().directory()).isEqualTo(entry.path());
			}
			else {
				assertThat(paths).contains(path);
			}
		}
		assertThat(listing.entries().size() + listing.omitted()).isEqualTo(all.entries().size() + all.omitted());
	}

	/**
	 * Writes a file whose name a store may refuse.
	 */
	private Optional<String> write(String path) {
		try {
			WorkspacePath file = new WorkspacePath(root().root(), path);
			return this.files.apply(new WorkspaceChange.Write(file, bytes(path))).isOk() ? Optional.of(path)
					: Optional.empty();
		}
		catch (WorkspacePathException ex) {
			return Optional.empty();
		}
	}

	@Test
	void pathsThatDenoteSameFileHaveSameIdentity() {
		WorkspacePath foo = path("kb/foo.md");
		for (String spelling : List.of("kb/foo.md", "kb/Foo.md", "KB/foo.md", "KB/FOO.MD", "kb/foo.m", "kb/fo/o.md")) {
			WorkspacePath path = path(spelling);
			WorkspacePath identity = this.files.identity(path);
			boolean same = this.files.fileExists(spelling);
			assertThat(identity.equals(this.files.identity(foo))).as(spelling).isEqualTo(same);
			assertThat(this.files.identity(identity)).isEqualTo(identity);
			assertThat(new ForwardingWorkspaceFiles(this.files) {
			}.identity(path)).as("decorated").isEqualTo(identity);
		}
		assertThat(this.files.identity(root())).isEqualTo(root());
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.identity(foreign("kb/foo.md")));
	}

	@Test
	void identityOfLinkDiffersFromThatOfItsTarget() throws IOException {
		WorkspaceFilesContract.LinkMaker links = this.suite.links();
		if (links != null) {
			links.link(this.files, "kb/link.md", "foo.md");
		}
		assertThat(this.files.identity(path("kb/link.md"))).isNotEqualTo(this.files.identity(path("kb/foo.md")));
	}

	@Test
	void failureAtValidPathIsReturnedAsResult() {
		assertFailed(this.files.tryReadFile("not/here.md"), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.tryReadBytes("not/here.md"), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.tryCompareExchange("not-here.md", "", "x"), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.listDirectory("not/here"), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.tryReadFile("kb"), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertFailed(this.files.tryWriteFile("kb", "x"), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertThat(this.files.fileExists("not/here.md")).isFalse();
		assertThat(this.files.fileExists("kb")).isFalse();
	}

	@Test
	void compareExchangeOfOtherTextSucceedsWithoutExchange() {
		CompareExchangeResult result = this.files.tryCompareExchange("/kb/foo.md", "other", "new").value();
		assertThat(result.exchanged()).isFalse();
		assertThat(result.actualPath()).isEqualTo("kb/foo.md");
		assertThat(result.reason()).isNotBlank();
		assertThat(text("kb/foo.md")).isEqualTo("foo");
	}

	@Test
	void textRoundTripsEveryCharacter() {
		String text = "\uFEFFa\r\n\0ünï 日本 \uD83D\uDE00\n\n";
		this.files.tryWriteFile("text", text);
		assertThat(text("text")).isEqualTo(text);
		this.files.tryWriteFile("text", "");
		assertThat(text("text")).isEmpty();
	}

	@Test
	void unpairedSurrogateIsNeverWritten() {
		Map<String, String> before = state();
		for (String text : List.of("\uD800", "a\uDC00b", "\uDE00\uD83D")) {
			assertFailed(this.files.tryWriteFile("kb/foo.md", text), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			assertFailed(this.files.tryWriteFile("new", text), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			assertFailed(this.files.tryCompareExchange("kb/foo.md", "foo", text),
					WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
		}
		assertThat(state()).isEqualTo(before);
	}

	@Test
	void unpairedSurrogateNeverMatchesExpectedText() {
		this.files.tryWriteFile("mark", "?");
		CompareExchangeResult result = this.files.tryCompareExchange("mark", "\uD800", "x").value();
		assertThat(result.exchanged()).isFalse();
		assertThat(result.reason()).isNotBlank();
		assertThat(text("mark")).isEqualTo("?");
		assertFailed(this.files.tryCompareExchange("missing", "\uD800", "x"), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.tryCompareExchange("kb", "\uD800", "x"), WorkspaceErrorCode.IS_A_DIRECTORY);
	}

}

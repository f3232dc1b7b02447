package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for names that cause trouble on some systems, on disk and in arguments.
 */
class OddNamesTests extends OneRootFixture {

	private void writeAndRead(WorkspaceFiles files, String name) throws IOException {
		WorkspacePath path = files.resolve(name, files.root());
		files.apply(new Write(path, name.getBytes(StandardCharsets.UTF_8))).value();
		assertThat(TestWorkspaces.read(files, name)).isEqualTo(name);
		assertThat(this.root.resolve(path.relative())).hasContent(name);
	}

	@ParameterizedTest
	@EnumSource
	@DisabledOnOs(OS.WINDOWS)
	void namesReservedOnWindowsAreOrdinaryElsewhere(PathPolicy policy) throws IOException {
		this.files = TestWorkspaces.open(policy, this.root);
		List<String> names = List.of("CON", "NUL.txt", "aux", "COM1", "trailing.", "trailing ./x", "a:b", "x?", "<y>");
		for (String name : names) {
			writeAndRead(this.files, name);
		}
		assertThat(this.files.list(this.files.root(), 1).value().entries()).hasSameSizeAs(names);
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void nameOutsideOfTheCharsetOfTheLocaleIsRefusedWithRemedy() throws Exception {
		TestWorkspaces.file(this.root.resolve("caf\u00e9"), "content");
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-cp", System.getProperty("java.class.path"), PosixLocaleProgram.class.getName(), this.root.toString());
		builder.environment().put("LC_ALL", "POSIX");
		Process process = builder.redirectErrorStream(true).start();
		assertThat(process.inputReader().lines()).anySatisfy((line) -> assertThat(line).contains("LC_ALL=C.UTF-8"))
			.contains("entries: 0")
			.last()
			.asString()
			.endsWith("the charset of file names in the locale of this application: use other characters, or start the "
					+ "application with LC_ALL=C.UTF-8");
		assertThat(process.waitFor()).isZero();
	}

	@Test
	void namesThatDifferOnlyInCaseAreDifferentFiles() throws IOException {
		TestWorkspaces.file(this.root.resolve("a"), "lower");
		Assumptions.assumeFalse(Files.exists(this.root.resolve("A")), "the file system ignores case");
		TestWorkspaces.failure(this.files.read(new WorkspacePath(this.root, "A"), 0, 1),
				WorkspaceErrorCode.FILE_NOT_FOUND);
		writeAndRead(this.files, "A");
		assertThat(this.root.resolve("a")).hasContent("lower");
	}

	@Test
	void namesThatDifferOnlyInCompositionAreDifferentFiles() throws IOException {
		String composed = "caf\u00e9";
		String decomposed = Normalizer.normalize(composed, Normalizer.Form.NFD);
		TestWorkspaces.file(this.root.resolve(decomposed), "decomposed");
		Assumptions.assumeFalse(Files.exists(this.root.resolve(composed)), "the file system normalises");
		TestWorkspaces.failure(this.files.read(new WorkspacePath(this.root, composed), 0, 1),
				WorkspaceErrorCode.FILE_NOT_FOUND);
		writeAndRead(this.files, composed);
		assertThat(this.root.resolve(decomposed)).hasContent("decomposed");
		assertThat(this.files.list(this.files.root(), 1).value().entries()).extracting(FileInfo::path)
			.extracting(WorkspacePath::name)
			.containsExactlyInAnyOrder(composed, decomposed);
	}

	@ParameterizedTest
	@EnumSource
	void pathsThatAreTooLongAreInvalid(PathPolicy policy) {
		this.files = TestWorkspaces.open(policy, this.root);
		for (String path : List.of("x".repeat(300), "a/" + "x".repeat(300) + "/b", "a/".repeat(2048) + "b",
				"z".repeat(4097))) {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> this.files.resolve(path, this.files.root()))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.INVALID_PATH));
		}
	}

	@Test
	void pathsOfMaximumLengthAreWrittenAndDeleted() throws IOException {
		writeAndRead(this.files, "x".repeat(255));
		writeAndRead(this.files, "\u00fc".repeat(127) + "x");
		writeAndRead(this.files, "y".repeat(255) + "/" + "z".repeat(255));
		WorkspacePath directory = new WorkspacePath(this.root, "y".repeat(255));
		this.files.apply(new Delete(directory, Depth.RECURSIVE, null)).value();
		assertThat(directory.toPath()).doesNotExist();
	}

	/**
	 * No path denotes such a name, so that tools never print it, but its directory can be
	 * moved and deleted.
	 */
	@Test
	void namesThatAreNotTextAreCountedAndDeletedWithTheirDirectory() throws Exception {
		Path directory = TestWorkspaces.directory(this.root.resolve("dir"));
		Process process = new ProcessBuilder("sh", "-c",
				"touch \"$(printf 'bad\\377name')\" \"$(printf 'new\\nline')\" \"$(printf 'bell\\007')\" good")
			.directory(directory.toFile())
			.start();
		assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
		FileListing listing = this.files.list(new WorkspacePath(this.root, "dir"), 1).value();
		assertThat(listing.entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.path().name()).isEqualTo("good"));
		assertThat(listing.omitted()).isEqualTo(3);
		this.files.apply(new Delete(new WorkspacePath(this.root, "dir"), Depth.RECURSIVE, null)).value();
		assertThat(directory).doesNotExist();
	}

}

package io.kairo.tools.session;

import java.nio.file.Path;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzes what tools take from the output of commands that read files.
 */
class FoundFileFuzzTests {

	private static final WorkspacePath DIRECTORY = new WorkspacePath(Path.of("/tmp"), "reports");

	@FuzzTest(maxDuration = "1m")
	void outputIsReadOrRefused(byte[] output) {
		WorkspaceResult<FileCommand.Output> read = FileCommand.Output.of(output, DIRECTORY);
		if (!(read instanceof WorkspaceResult.Ok<FileCommand.Output> ok)) {
			return;
		}
		for (FileInfo entry : SessionFiles.listing(DIRECTORY, ok.value().bytes()).entries()) {
			assertThat(entry.path().startsWith(DIRECTORY)).isTrue();
		}
		FoundFile file = FoundFile.of(DIRECTORY, ok.value().head(), 5, ok.value().bytes());
		if (file != null) {
			FileContent content = file.content(7, 9);
			assertThat(content.bytes().length).isLessThanOrEqualTo(9);
			assertThat(content.size()).isGreaterThanOrEqualTo(5L + ok.value().bytes().length);
			assertThat(file.info().size()).isNotNegative();
		}
	}

}

package io.kairo.workspace.git;

import io.kairo.api.workspace.WorkspaceErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GitFailures}.
 */
class GitFailuresTests {

	private final GitRemote remote = new GitRemote(RemoteUrl.parse("https://git.example.org/shop.git"), null);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			fatal: couldn't find remote ref refs/heads/none | REF_NOT_FOUND
			fatal: remote error: upload-pack: not our ref 0123456789012345678901234567890123456789 | REF_NOT_FOUND
			want 0123456789012345678901234567890123456789 not valid | REF_NOT_FOUND
			remote: If you want to read this, sign in~fatal: Authentication failed for 'x' | REMOTE_REFUSED
			remote: not our ref of duty~fatal: The requested URL returned error: 403 | REMOTE_REFUSED
			fatal: unable to access 'x': Failed to connect: you want too much | REMOTE_UNREACHABLE
			fatal: write error: No space left on device | WRITE_FAILED
			""")
	void remoteDerivesCodeFromClientOutput(String said, WorkspaceErrorCode code) {
		assertThat(GitFailures.remote(this.remote, said.replace('~', '\n'), "read").code()).isEqualTo(code);
	}

}

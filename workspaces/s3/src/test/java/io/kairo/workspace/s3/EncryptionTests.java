package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link S3Encryption} in the requests of a write-back.
 */
class EncryptionTests {

	@TempDir
	Path directory;

	static Stream<Arguments> encryptions() {
		return Stream.of(Arguments.of(S3Encryption.BUCKET_DEFAULT, "null null"),
				Arguments.of(new S3Encryption(S3Encryption.Kind.S3, null), "AES256 null"),
				Arguments.of(new S3Encryption(S3Encryption.Kind.KMS, null), "aws:kms null"),
				Arguments.of(new S3Encryption(S3Encryption.Kind.KMS, "key-1"), "aws:kms key-1"));
	}

	@ParameterizedTest
	@MethodSource("encryptions")
	void objectStoreIsAskedToEncryptWhatIsWritten(S3Encryption encryption, String expected) throws IOException {
		try (FakeStore store = new FakeStore();
				S3WorkspaceProvider provider = store.provider(this.directory, encryption, "bucket")) {
			Workspace workspace = provider.acquire(WorkspaceRequest.writable("s3://bucket/work"));
			provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS))
				.open(workspace)
				.tryWriteFile("a.txt", "a")
				.value();
			assertThat(Objects.requireNonNull(workspace.sync()).writeBack().value().complete()).isTrue();
			assertThat(store.objects()).containsEntry("work/a.txt", "a");
			assertThat(store.encryption()).containsEntry("work/a.txt", expected);
		}
	}

}

package io.kairo.workspace.s3;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with an S3 server in a container, if the Docker engine of this machine has an
 * image of one. No image is pulled.
 */
class S3ContainerTests {

	private static final String IMAGE = "minio/minio";

	@TempDir
	Path directory;

	private static String image() {
		String reason = "there is no Docker engine";
		if (DockerClientFactory.instance().isDockerAvailable()) {
			List<String> tags = DockerClientFactory.instance()
				.client()
				.listImagesCmd()
				.exec()
				.stream()
				.flatMap((image) -> Arrays.stream(Objects.requireNonNullElse(image.getRepoTags(), new String[0])))
				.filter((tag) -> tag.startsWith(IMAGE + ":"))
				.toList();
			if (!tags.isEmpty()) {
				return tags.get(0);
			}
			reason = "the Docker engine has no image " + IMAGE;
		}
		boolean required = List.of(Objects.requireNonNullElse(System.getenv("KAIRO_REQUIRE"), "").split(","))
			.contains("s3-image");
		assertThat(required).as("KAIRO_REQUIRE names s3-image, but %s", reason).isFalse();
		return Assumptions.abort(reason);
	}

	@Test
	@SuppressWarnings("resource")
	void writesAreConditionalInContainer() {
		String image = image();
		try (GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(9000)
			.withEnv("MINIO_ROOT_USER", S3Server.ACCESS_KEY)
			.withEnv("MINIO_ROOT_PASSWORD", S3Server.SECRET_KEY)
			.withCommand("server", "/data")) {
			container.start();
			URI endpoint = URI.create("http://" + container.getHost() + ":" + container.getMappedPort(9000));
			try (S3Client client = S3Client.builder()
				.endpointOverride(endpoint)
				.region(Region.US_EAST_1)
				.forcePathStyle(true)
				.httpClientBuilder(UrlConnectionHttpClient.builder())
				.credentialsProvider(StaticCredentialsProvider
					.create(AwsBasicCredentials.create(S3Server.ACCESS_KEY, S3Server.SECRET_KEY)))
				.build();
					S3WorkspaceProvider provider = new S3WorkspaceProvider(
							S3Options.in(this.directory, "agents").endpoint(endpoint).pathStyle(true).build(),
							S3Server.credentials())) {
				client.createBucket((request) -> request.bucket("agents"));
				Workspace one = provider.acquire(WorkspaceRequest.writable("s3://agents/work"));
				Workspace two = provider.acquire(WorkspaceRequest.writable("s3://agents/work"));
				files(provider, one).tryWriteFile("a.txt", "one").value();
				files(provider, two).tryWriteFile("a.txt", "two").value();
				assertThat(Objects.requireNonNull(one.sync()).writeBack().value().complete()).isTrue();
				assertThat(Objects.requireNonNull(two.sync()).writeBack().value().with(SyncReport.Outcome.CONFLICT))
					.hasSize(1);
				assertThat(
						client.getObjectAsBytes((request) -> request.bucket("agents").key("work/a.txt")).asUtf8String())
					.isEqualTo("one");
			}
		}
	}

	private static WorkspaceFiles files(S3WorkspaceProvider provider, Workspace workspace) {
		return provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)).open(workspace);
	}

}

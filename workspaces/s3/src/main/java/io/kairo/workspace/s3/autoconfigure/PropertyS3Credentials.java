package io.kairo.workspace.s3.autoconfigure;

import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.workspace.s3.S3Credentials;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Finds credentials in the configuration, and otherwise in the default chain of the AWS
 * SDK.
 */
final class PropertyS3Credentials implements S3Credentials {

	private final List<S3Properties.Credential> credentials;

	/** Created when it is needed, guarded by this. */
	private @Nullable S3Credentials chain;

	PropertyS3Credentials(List<S3Properties.Credential> credentials) {
		this.credentials = credentials;
	}

	@Override
	public AwsCredentialsProvider find(TenantContext tenant) {
		return this.credentials.stream()
			.filter((credential) -> credential.tenant() == null || credential.tenant().equals(tenant.tenantId()))
			.findFirst()
			.map(PropertyS3Credentials::provider)
			.orElseGet(() -> chain().find(tenant));
	}

	private static AwsCredentialsProvider provider(S3Properties.Credential credential) {
		return StaticCredentialsProvider.create((credential.sessionToken() != null)
				? AwsSessionCredentials.create(credential.accessKey(), credential.secretKey(),
						credential.sessionToken())
				: AwsBasicCredentials.create(credential.accessKey(), credential.secretKey()));
	}

	private synchronized S3Credentials chain() {
		if (this.chain == null) {
			this.chain = S3Credentials.defaultChain();
		}
		return this.chain;
	}

}

package io.kairo.workspace.s3;

import io.kairo.api.tenant.TenantContext;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/**
 * Provides the credentials of tenants. Called before each request, so that credentials
 * can be rotated; implementations must return quickly and be safe for use by several
 * threads.
 */
@FunctionalInterface
public interface S3Credentials {

	/**
	 * Returns the credentials of the default chain of the AWS SDK, for all tenants:
	 * system properties, environment, profile files, container and instance.
	 * @return the credentials
	 */
	static S3Credentials defaultChain() {
		AwsCredentialsProvider chain = DefaultCredentialsProvider.builder().build();
		return (tenant) -> chain;
	}

	/**
	 * Returns the credentials of a tenant.
	 * @param tenant the tenant that opened the workspace
	 * @return the credentials; anonymous ones to send none
	 */
	AwsCredentialsProvider find(TenantContext tenant);

}

package io.kairo.workspace.s3.autoconfigure;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.boot.PropertyBounds;
import io.kairo.boot.UnresolvedPlaceholder;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for workspaces with the objects of S3 buckets.
 *
 * @param enabled Whether hints can name S3 buckets. Requires kairo-workspace-s3.
 * @param locations Locations that workspaces can be opened in: a bucket, or a bucket, a
 * slash and a prefix. In both, {tenant} stands for the id of the tenant. Empty for none.
 * @param endpoint Address of the object store. By default, that of AWS.
 * @param region Region of the buckets. By default, that of the AWS SDK, or us-east-1 with
 * an endpoint.
 * @param pathStyle Whether the bucket is in the path of addresses instead of the host
 * name.
 * @param encryption Server-side encryption of written objects.
 * @param kmsKey ID or ARN of the key for the encryption kms. By default, that of the
 * account.
 * @param writeBack Time at which changes are written back to the bucket.
 * @param directory Directory of the local files. By default, the directory s3 in
 * kairo.state-dir, or in /var/lib/kairo where commands of another user cannot enter that.
 * @param maxObjects Maximum number of objects of one workspace.
 * @param maxSize Maximum size of the fetched objects of one workspace, and of the changes
 * that are written back at a time.
 * @param maxObjectSize Maximum size of an object that is fetched or written, at most 5GB.
 * @param concurrency Maximum number of concurrent requests of one workspace.
 * @param timeout Timeout of a request, including retries, and of a listing with all its
 * pages.
 * @param credentials Credentials of tenants. The first match is used, and otherwise the
 * default chain of the AWS SDK.
 */
@ConfigurationProperties("kairo.workspace.s3")
public record S3Properties(@DefaultValue("true") boolean enabled, @DefaultValue List<String> locations,
		@Nullable URI endpoint, @Nullable String region, @DefaultValue("false") boolean pathStyle,
		@DefaultValue("bucket-default") Encryption encryption, @Nullable String kmsKey,
		@DefaultValue("on-release") WriteBack writeBack, @Nullable Path directory,
		@DefaultValue("100000") int maxObjects, @DefaultValue("4GB") DataSize maxSize,
		@DefaultValue("256MB") DataSize maxObjectSize, @DefaultValue("8") int concurrency,
		@DefaultValue("1m") Duration timeout, @DefaultValue List<Credential> credentials) {

	private static final String PREFIX = "kairo.workspace.s3.";

	/**
	 * Creates and validates the properties.
	 */
	public S3Properties {
		if (kmsKey != null && encryption != Encryption.KMS) {
			throw invalid("kms-key", kmsKey, "the encryption is " + encryption + ", which has no key: set "
					+ "kairo.workspace.s3.encryption to kms");
		}
		new PropertyBounds(PREFIX).atLeast("max-objects", maxObjects, 1)
			.positive("max-size", maxSize)
			.between("max-object-size", maxObjectSize, DataSize.ofBytes(1), DataSize.ofGigabytes(5))
			.between("concurrency", concurrency, 1, 100)
			.between("timeout", timeout, Duration.ofMillis(1), Duration.ofMillis(Integer.MAX_VALUE));
		locations = List.copyOf(locations);
		credentials = List.copyOf(credentials);
		for (int i = 0; i < credentials.size(); i++) {
			credentials.get(i).check("credentials[" + i + "].");
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String property, @Nullable Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
	}

	/**
	 * Server-side encryption of written objects.
	 */
	public enum Encryption {

		/** As the bucket is configured. */
		BUCKET_DEFAULT,

		/** Keys of the object store. */
		S3,

		/** A key of the key management service. */
		KMS

	}

	/**
	 * Time at which changes are written back.
	 */
	public enum WriteBack {

		/** When the workspace is released, and when it is requested. */
		ON_RELEASE,

		/** Only when it is requested. */
		ON_DEMAND,

		/** After each change, and after each command. */
		AT_ONCE

	}

	/**
	 * Credential of a tenant.
	 *
	 * @param tenant The only tenant that can use the credential. By default, all tenants
	 * can.
	 * @param accessKey ID of the access key.
	 * @param secretKey Secret of the access key.
	 * @param sessionToken Session token of a temporary credential.
	 */
	public record Credential(@Nullable String tenant, String accessKey, String secretKey,
			@Nullable String sessionToken) {

		private void check(String prefix) {
			require(prefix + "access-key", this.accessKey, "the ID of an access key");
			require(prefix + "secret-key", this.secretKey, "the secret of the access key");
			if (this.sessionToken != null) {
				require(prefix + "session-token", this.sessionToken, "the token of a temporary credential");
			}
		}

		private static void require(String property, @Nullable String value, String expected) {
			if (value == null || value.isBlank()) {
				throw invalid(property, "", "it is missing: set " + expected);
			}
			UnresolvedPlaceholder.refuse(PREFIX + property, value);
		}

		@Override
		public String toString() {
			return "Credential[tenant=" + this.tenant + ", accessKey=" + this.accessKey + ", secretKey=***]";
		}

	}

}

package io.kairo.workspace.s3;

import java.time.Duration;

import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Creates the client of the AWS SDK.
 */
final class S3Clients {

	private S3Clients() {
	}

	/**
	 * Creates a client without credentials; each request brings them along. No connection
	 * is opened.
	 */
	static S3Client create(S3Options options) {
		Duration timeout = options.limits().timeout();
		S3ClientBuilder builder = S3Client.builder()
			.forcePathStyle(options.pathStyle())
			.credentialsProvider(AnonymousCredentialsProvider.create())
			// object stores other than AWS know no trailing checksums
			.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
			.responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
			.serviceConfiguration((service) -> service.expectContinueEnabled(false))
			.httpClientBuilder(UrlConnectionHttpClient.builder()
				.connectionTimeout(atMost(timeout, Duration.ofSeconds(10)))
				.socketTimeout(atMost(timeout, Duration.ofSeconds(30))))
			.overrideConfiguration(ClientOverrideConfiguration.builder()
				.apiCallTimeout(timeout)
				.addExecutionInterceptor(new BoundedAnswers())
				.build());
		if (options.endpoint() != null) {
			builder.endpointOverride(options.endpoint());
		}
		if (options.region() != null) {
			builder.region(Region.of(options.region()));
		}
		else if (options.endpoint() != null) {
			builder.region(Region.US_EAST_1);
		}
		return builder.build();
	}

	private static Duration atMost(Duration timeout, Duration bound) {
		return (timeout.compareTo(bound) < 0) ? timeout : bound;
	}

}

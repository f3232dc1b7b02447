package io.kairo.workspace.s3.autoconfigure;

import io.kairo.workspace.s3.S3Options;

/**
 * Customizes the options of the auto-configured workspaces from S3 buckets. Beans of this
 * type are applied in their order, at start-up, after the properties below
 * {@code kairo.workspace.s3}.
 */
@FunctionalInterface
public interface S3OptionsCustomizer {

	/**
	 * Customizes the options.
	 * @param options the options from the properties and earlier customizers
	 */
	void customize(S3Options.Builder options);

}

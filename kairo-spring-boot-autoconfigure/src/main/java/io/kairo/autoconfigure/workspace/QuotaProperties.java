package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.quota.WorkspaceQuota;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the quota of the files of a workspace.
 *
 * @param bytes Maximum total size of the files below each root of a workspace. Unlimited
 * by default.
 * @param files Maximum number of files below each root of a workspace. Unlimited by
 * default.
 */
public record QuotaProperties(@Nullable DataSize bytes, @Nullable Long files) {

	/**
	 * Creates and validates the properties.
	 */
	public QuotaProperties {
		if (bytes != null && bytes.toBytes() <= 0) {
			throw invalid("bytes", bytes);
		}
		if (files != null && files <= 0) {
			throw invalid("files", files);
		}
	}

	/**
	 * Returns the quota.
	 * @return the quota, null if there is none
	 */
	@Nullable WorkspaceQuota quota() {
		if (this.bytes == null && this.files == null) {
			return null;
		}
		return new WorkspaceQuota((this.bytes != null) ? this.bytes.toBytes() : Long.MAX_VALUE / 2,
				(this.files != null) ? this.files : Long.MAX_VALUE / 2);
	}

	private static InvalidConfigurationPropertyValueException invalid(String property, Object value) {
		return new InvalidConfigurationPropertyValueException("kairo.workspace.quota." + property, value,
				"it must be above 0, otherwise nothing can be written: set a higher value, or remove the property for no quota");
	}

}

package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.quota.WorkspaceQuota;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * How much the files of a workspace may take.
 *
 * @param bytes how much the files below each root of a workspace may take together. None
 * by default.
 * @param files how many files there may be below each root of a workspace. None by
 * default.
 * @since 0.1.0
 */
public record QuotaProperties(@Nullable DataSize bytes, @Nullable Long files) {

	/**
	 * Creates the value.
	 * @param bytes how much the files may take together, null for no bound
	 * @param files how many there may be, null for no bound
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
	 * @return null if there is none
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
				"nothing could be written: give more than 0, or leave it out for no quota");
	}

}

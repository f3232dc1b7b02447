package io.kairo.autoconfigure.health;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for health.
 *
 * @param minFreeSpace Minimum free space on the file system of the default workspace; the
 * health is down below it. 0 to disable the check.
 */
@ConfigurationProperties("kairo.health")
public record HealthProperties(@DefaultValue("10MB") DataSize minFreeSpace) {

	/**
	 * Creates and validates the properties.
	 */
	public HealthProperties {
		if (minFreeSpace.isNegative()) {
			throw new InvalidConfigurationPropertyValueException("kairo.health.min-free-space", minFreeSpace,
					"it must not be below 0: set 0 to disable the check");
		}
	}

}

package io.kairo.autoconfigure.health;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * What is healthy.
 *
 * @param minFreeSpace how much space there is to be where the default workspace is
 * written to; with less its health is down. 0 asks for none.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.health", ignoreUnknownFields = false)
public record HealthProperties(@DefaultValue("10MB") DataSize minFreeSpace) {

	/**
	 * Creates the value.
	 * @param minFreeSpace how much space there is to be, not below 0
	 */
	public HealthProperties {
		if (minFreeSpace.isNegative()) {
			throw new InvalidConfigurationPropertyValueException("kairo.health.min-free-space", minFreeSpace,
					"it must not be below 0; 0 asks for no space");
		}
	}

}

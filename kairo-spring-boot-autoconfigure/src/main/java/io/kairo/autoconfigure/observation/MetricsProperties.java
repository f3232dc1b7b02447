package io.kairo.autoconfigure.observation;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * What meters tell.
 *
 * @param maxTenants how many tenants have a value of their own of the tag tenant; those
 * that come later are counted together as "other".
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.metrics", ignoreUnknownFields = false)
public record MetricsProperties(@DefaultValue("100") int maxTenants) {

	/**
	 * Creates the value.
	 * @param maxTenants how many tenants have a value of their own, at least 0
	 */
	public MetricsProperties {
		if (maxTenants < 0) {
			throw new InvalidConfigurationPropertyValueException("kairo.metrics.max-tenants", maxTenants,
					"it must be at least 0");
		}
	}

}

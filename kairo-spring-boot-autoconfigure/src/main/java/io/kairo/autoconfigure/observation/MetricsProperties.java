package io.kairo.autoconfigure.observation;

import io.kairo.boot.PropertyBounds;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for meters.
 *
 * @param maxTenants Maximum number of tenants with their own value of the tag tenant.
 * Additional tenants are counted as "other".
 */
@ConfigurationProperties("kairo.metrics")
public record MetricsProperties(@DefaultValue("100") int maxTenants) {

	/**
	 * Creates and validates the properties.
	 * @param maxTenants the maximum number of values of the tag, at least 0
	 */
	public MetricsProperties {
		new PropertyBounds("kairo.metrics.").atLeast("max-tenants", maxTenants, 0);
	}

}

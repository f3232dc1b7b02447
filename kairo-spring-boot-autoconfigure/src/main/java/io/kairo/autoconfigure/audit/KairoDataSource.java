package io.kairo.autoconfigure.audit;

import javax.sql.DataSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Finds the data source for data in a database: the bean {@code kairoDataSource}, or else
 * the only or primary one.
 */
public final class KairoDataSource {

	/** The bean that has precedence over all other data sources. */
	private static final String OWN = "kairoDataSource";

	private KairoDataSource() {
	}

	/**
	 * Returns the data source.
	 * @param beans the beans
	 * @param property the property that asks for a database
	 * @param value its value
	 * @return the data source
	 * @throws InvalidConfigurationPropertyValueException if there is none, or none of
	 * several is chosen
	 */
	public static DataSource of(BeanFactory beans, String property, Object value) {
		DataSource dataSource = beans.containsBean(OWN) ? beans.getBean(OWN, DataSource.class)
				: beans.getBeanProvider(DataSource.class).getIfUnique();
		if (dataSource == null) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					"jdbc needs a data source: set spring.datasource.url and add "
							+ "org.springframework.boot:spring-boot-starter-jdbc or, if there are several, name one "
							+ OWN + " or mark it as primary");
		}
		return dataSource;
	}

}

package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the Landlock sandbox.
 *
 * @param readOnlyPaths Additional files and directories of the host that commands can
 * read and execute, such as /opt/java.
 */
@ConfigurationProperties("kairo.sandbox.landlock")
public record LandlockProperties(@DefaultValue( {
	}) List<Path> readOnlyPaths){

	/**
	 * Creates the properties.
	 */
	public LandlockProperties {
		readOnlyPaths = List.copyOf(readOnlyPaths);
	}
}

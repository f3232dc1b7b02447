package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the bubblewrap sandbox.
 *
 * @param runAs User that commands run as, required if the application runs as root: a
 * name, uid or uid:gid. Directories that Kairo creates for commands belong to it.
 * @param executable Path of bwrap. By default, the installed program.
 * @param readOnlyPaths Additional files and directories of the host that commands can
 * read, at their own paths.
 * @param unixSockets Whether commands can use Unix domain sockets. A socket in the
 * workspace allows to escape from the sandbox.
 */
@ConfigurationProperties("kairo.sandbox.bubblewrap")
public record BubblewrapProperties(@Nullable String runAs, @Nullable Path executable, @DefaultValue( {
	}) List<Path> readOnlyPaths, @DefaultValue("false") boolean unixSockets){

	/**
	 * Creates the properties.
	 */
	public BubblewrapProperties {
		readOnlyPaths = List.copyOf(readOnlyPaths);
	}

}

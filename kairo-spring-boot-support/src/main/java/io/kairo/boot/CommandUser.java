package io.kairo.boot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The user that commands run as in an application that runs as root. Files and
 * directories that the application creates for commands belong to that user.
 *
 * @param user the user, null if commands run as the user of the application
 */
public record CommandUser(@Nullable HostUser user) {

	private static final Log logger = LogFactory.getLog(CommandUser.class);

	private static final List<String> PROPERTIES = List.of("kairo.sandbox.bubblewrap.run-as",
			"kairo.sandbox.docker.run-as", "kairo.sandbox.microvm.run-as");

	private static final Path PUBLIC_STATE = Path.of("/var/lib/kairo");

	/**
	 * Returns the user by the configuration.
	 * @param environment the configuration
	 * @return the user
	 * @throws InvalidConfigurationPropertyValueException if there is no such user, or if
	 * the users of two sandboxes differ
	 */
	public static CommandUser of(Environment environment) {
		HostUser current = HostUser.current();
		if (current == null || current.uid() != 0) {
			return new CommandUser(null);
		}
		String first = null;
		HostUser found = null;
		for (String property : PROPERTIES) {
			HostUser user = user(environment, property);
			if (user != null && found != null && !user.equals(found)) {
				throw new InvalidConfigurationPropertyValueException(property, user, "it differs from " + first + ", "
						+ found + ", but what Kairo creates for commands belongs to one user; set both to the same");
			}
			first = (found == null) ? property : first;
			found = (found == null) ? user : found;
		}
		return new CommandUser(found);
	}

	private static @Nullable HostUser user(Environment environment, String property) {
		String runAs = environment.getProperty(property);
		try {
			return StringUtils.hasText(runAs) ? HostUser.parse(runAs) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(property, runAs, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Returns the default directory of workspaces that Kairo creates: in the state
	 * directory, unless commands cannot reach that, as in the home directory of root.
	 * @param kairo the configuration of the state directory
	 * @param name the name of the directory
	 * @return the directory, whether it exists or not
	 * @throws InvalidConfigurationPropertyValueException if the state directory cannot be
	 * created
	 */
	public Path defaultDirectory(KairoProperties kairo, String name) {
		Path state = kairo.stateDirectory();
		if (this.user == null) {
			return state.resolve(name);
		}
		try {
			OwnerOnly.createDirectory(state);
			HostUser.letPass(state);
			return (this.user.barrier(state.toRealPath()) == null) ? state.resolve(name) : PUBLIC_STATE.resolve(name);
		}
		catch (IOException ex) {
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state, "it cannot be created");
		}
	}

	/**
	 * Warns if commands cannot reach a directory.
	 * @param property the property that names it
	 * @param directory the directory
	 */
	public void warnOfBarrier(String property, Path directory) {
		try {
			Path barrier = (this.user != null) ? this.user.barrier(directory.toRealPath()) : null;
			if (barrier != null) {
				logger.warn("Commands run as " + this.user + ", who may not enter " + barrier + " on the way to "
						+ directory + " (" + property
						+ "): they will fail there unless an access control list allows it. Give the directory to that "
						+ "user (chown), or let it pass (chmod o+x)");
			}
		}
		catch (IOException ex) {
			// A directory that cannot be examined is reported where it is used.
		}
	}

}

package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.host.HostUser;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * The command-line option {@code --add-dir=/srv/lib}. It may be repeated and adds to
 * {@code kairo.workspace.add-dirs}. Each option gives one directory. Its name may contain
 * commas. Property sources other than the command line do not have it.
 */
final class AddDirOption implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

	private static final String OPTION = "add-dir";

	private static final String PROPERTY = "kairo.workspace.add-dirs";

	AddDirOption() {
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE; // after the files of the application are read
	}

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		// the property source joins the values of repeated options with commas
		ApplicationArguments arguments = new DefaultApplicationArguments(event.getArgs());
		List<String> given = arguments.getOptionValues(OPTION);
		if (given != null && isUsed(event.getEnvironment())) {
			addTo(event.getEnvironment(), given);
		}
	}

	private static boolean isUsed(ConfigurableEnvironment environment) {
		return environment.getPropertySources()
			.stream()
			.anyMatch((source) -> source instanceof CommandLinePropertySource<?> && source.containsProperty(OPTION));
	}

	private static void addTo(ConfigurableEnvironment environment, List<String> given) {
		if (given.isEmpty() || given.stream().anyMatch(String::isBlank)) {
			throw new InvalidConfigurationPropertyValueException(OPTION, "",
					"no directory is given: write it after an equals sign, such as --add-dir=/srv/lib");
		}
		List<String> directories = new ArrayList<>(
				Binder.get(environment).bind(PROPERTY, Bindable.listOf(String.class)).orElse(List.of()));
		given.stream().map(AddDirOption::expanded).forEach(directories::add);
		Map<String, Object> indexed = new LinkedHashMap<>();
		for (int i = 0; i < directories.size(); i++) {
			indexed.put(PROPERTY + "[" + i + "]", directories.get(i));
		}
		environment.getPropertySources().addFirst(new MapPropertySource(OPTION, indexed));
	}

	/**
	 * Expands the home directory, since a shell does not after an equals sign.
	 */
	private static String expanded(String given) {
		Path home = given.startsWith("~/") ? HostUser.home() : null;
		if (given.startsWith("~/") && home == null) {
			throw new InvalidConfigurationPropertyValueException(OPTION, given,
					"the user of the application has no home directory: write the whole path");
		}
		String directory = (home != null) ? home + given.substring(1) : given;
		if (directory.contains(",") && !directory.contains("{") && !Path.of(directory).toFile().isDirectory()) {
			throw new InvalidConfigurationPropertyValueException(OPTION, given,
					"there is no such directory, and a comma is a part of its name: write one option for each "
							+ "directory, such as --add-dir=/srv/a --add-dir=/srv/b");
		}
		return directory;
	}

}

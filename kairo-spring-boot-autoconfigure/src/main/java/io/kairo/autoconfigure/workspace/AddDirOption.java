package io.kairo.autoconfigure.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.Ordered;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The command-line option {@code --add-dir=/srv/lib}, which may be repeated and adds to
 * {@code kairo.workspace.add-dirs}. Property sources other than the command line do not
 * have it.
 */
final class AddDirOption implements EnvironmentPostProcessor, Ordered {

	private static final String OPTION = "add-dir";

	private static final String PROPERTY = "kairo.workspace.add-dirs";

	AddDirOption() {
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE; // after the files of the application are read
	}

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		String given = null;
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof CommandLinePropertySource<?> line && line.containsProperty(OPTION)) {
				given = line.getProperty(OPTION);
			}
		}
		if (given == null) {
			return;
		}
		if (given.isBlank()) {
			throw new InvalidConfigurationPropertyValueException(OPTION, given,
					"no directory is given: write it after an equals sign, such as --add-dir=/srv/lib");
		}
		List<String> directories = new ArrayList<>(
				Binder.get(environment).bind(PROPERTY, Bindable.listOf(String.class)).orElse(List.of()));
		for (String directory : List.of(given.split(","))) {
			// which a shell does not expand after an equals sign
			directories
				.add(directory.startsWith("~/") ? System.getProperty("user.home") + directory.substring(1) : directory);
		}
		environment.getPropertySources()
			.addFirst(new MapPropertySource(OPTION, Map.of(PROPERTY, String.join(",", directories))));
	}

}

package io.kairo.autoconfigure.workspace;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AddDirOption}.
 */
class AddDirOptionTests {

	private static List<String> addDirs(Map<String, Object> configured, String... arguments) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addLast(new MapPropertySource("file", configured));
		environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(arguments));
		new AddDirOption().postProcessEnvironment(environment, new SpringApplication(AddDirOptionTests.class));
		return Binder.get(environment)
			.bind("kairo.workspace.add-dirs", Bindable.listOf(String.class))
			.orElse(List.of());
	}

	@Test
	void optionAddsToConfiguredDirectories() {
		assertThat(addDirs(Map.of(), "--add-dir=/srv/lib")).containsExactly("/srv/lib");
		assertThat(addDirs(Map.of("kairo.workspace.add-dirs", "/srv/a"), "--add-dir=/srv/b", "--add-dir=/srv/c"))
			.containsExactly("/srv/a", "/srv/b", "/srv/c");
		assertThat(addDirs(Map.of("kairo.workspace.add-dirs[0]", "/srv/a", "kairo.workspace.add-dirs[1]", "/srv/b"),
				"--add-dir=/srv/c"))
			.containsExactly("/srv/a", "/srv/b", "/srv/c");
		assertThat(addDirs(Map.of("kairo.workspace.add-dirs", "/srv/a"), "--other=x")).containsExactly("/srv/a");
	}

	@Test
	void homeDirectoryIsExpanded() {
		assertThat(addDirs(Map.of(), "--add-dir=~/lib", "--add-dir=/srv/~/lib"))
			.containsExactly(System.getProperty("user.home") + "/lib", "/srv/~/lib");
	}

	@Test
	void optionOfAnotherSourceHasNoEffect() {
		assertThat(addDirs(Map.of("add-dir", "/srv/lib"))).isEmpty();
	}

	@Test
	void optionWithoutDirectoryIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> addDirs(Map.of(), "--add-dir", "/srv/lib"))
			.withMessageContaining("--add-dir=/srv/lib");
	}

	@Test
	void optionIsRegistered() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(EnvironmentPostProcessor.class, FailureHandler.handleMessage((message, failure) -> {
			}))).hasAtLeastOneElementOfType(AddDirOption.class);
	}

}

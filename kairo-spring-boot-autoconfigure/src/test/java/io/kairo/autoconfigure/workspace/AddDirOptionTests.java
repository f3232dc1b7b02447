package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationListener;
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
		new AddDirOption().onApplicationEvent(new ApplicationEnvironmentPreparedEvent(new DefaultBootstrapContext(),
				new SpringApplication(AddDirOptionTests.class), arguments, environment));
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
	void commaIsPartOfTheName(@TempDir Path temp) throws IOException {
		Path comma = Files.createDirectory(temp.resolve("a,b"));
		assertThat(addDirs(Map.of("kairo.workspace.add-dirs[0]", "/srv/c,d"), "--add-dir=" + comma, "--add-dir=/srv/e"))
			.containsExactly("/srv/c,d", comma.toString(), "/srv/e");
		assertThat(addDirs(Map.of(), "--add-dir=/srv/{tenant}/c,d")).containsExactly("/srv/{tenant}/c,d");
	}

	@Test
	void listOfDirectoriesIsRefused(@TempDir Path temp) {
		String list = temp + "," + temp;
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> addDirs(Map.of(), "--add-dir=" + list))
			.withMessageContaining(list)
			.withMessageContaining("one option for each directory");
	}

	@Test
	void optionIsIgnoredWithoutCommandLineProperties() {
		StandardEnvironment environment = new StandardEnvironment();
		new AddDirOption().onApplicationEvent(new ApplicationEnvironmentPreparedEvent(new DefaultBootstrapContext(),
				new SpringApplication(AddDirOptionTests.class), new String[] { "--add-dir=/srv/a" }, environment));
		assertThat(environment.getProperty("kairo.workspace.add-dirs[0]")).isNull();
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
		for (String[] arguments : List.of(new String[] { "--add-dir", "/srv/lib" },
				new String[] { "--add-dir=/srv/a", "--add-dir=" })) {
			assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
				.isThrownBy(() -> addDirs(Map.of(), arguments))
				.withMessageContaining("--add-dir=/srv/lib");
		}
	}

	@Test
	void optionIsRegistered() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ApplicationListener.class, FailureHandler.handleMessage((message, failure) -> {
			}))).hasAtLeastOneElementOfType(AddDirOption.class);
	}

}

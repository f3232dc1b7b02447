package io.kairo.test.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.host.PrivateDirectory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * The properties of a test with {@link AutoConfigureKairo}: its state is kept in a
 * temporary directory, roots need not exist, no chat model is configured, and the health
 * of workspaces is not checked.
 */
final class KairoTestEnvironment implements ContextCustomizer {

	private static final String NAME = "kairoTest";

	private KairoTestEnvironment() {
	}

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		PrivateDirectory state = new PrivateDirectory(null, "kairo-test-");
		PrivateDirectory roots = new PrivateDirectory(null, "kairo-test-");
		context.addApplicationListener((ApplicationListener<ContextClosedEvent>) (event) -> {
			if (event.getApplicationContext() == context) {
				state.close();
				roots.close();
			}
		});
		try {
			ConfigurableEnvironment environment = context.getEnvironment();
			String root = keepsTenantsApart(environment) ? roots.path() + "/{tenant}" : roots.path().toString();
			environment.getPropertySources()
				.addFirst(new MapPropertySource(NAME,
						Map.of("kairo.state-dir", state.path().toString(), "kairo.workspace.roots", root,
								"spring.ai.model.chat", "none", "management.health.kairo-workspace.enabled", "false")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("There is no temporary directory for kairo.state-dir", ex);
		}
	}

	/**
	 * Returns whether the application has a root for each tenant, and so requires
	 * tenants.
	 */
	private static boolean keepsTenantsApart(ConfigurableEnvironment environment) {
		return Stream.of("kairo.workspace.roots", "kairo.workspace.roots[0]")
			.map((name) -> environment.getProperty(name, ""))
			.anyMatch((root) -> root.contains("{tenant}"));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof KairoTestEnvironment;
	}

	@Override
	public int hashCode() {
		return NAME.hashCode();
	}

	/**
	 * Creates the customizer for test classes with the annotation.
	 */
	static final class Factory implements ContextCustomizerFactory {

		@Override
		public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
				List<ContextConfigurationAttributes> attributes) {
			return TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureKairo.class)
					? new KairoTestEnvironment() : null;
		}

	}

}

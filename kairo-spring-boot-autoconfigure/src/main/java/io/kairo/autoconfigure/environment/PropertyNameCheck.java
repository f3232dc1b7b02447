package io.kairo.autoconfigure.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * Fails the start if a property below {@code kairo} does not exist, or has no effect
 * because an artifact is absent. All sources that can list their properties are checked.
 * <p>
 * Environment variables and system properties are shared with other programs:
 * {@code KAIRO_SERVICE_HOST} may be set by a container platform. There, an unknown name
 * fails the start if it resembles a property; otherwise it is logged if it begins with a
 * group of properties, and is ignored if not.
 */
final class PropertyNameCheck implements BeanFactoryPostProcessor {

	private static final Log logger = LogFactory.getLog(PropertyNameCheck.class);

	private final ConfigurableEnvironment environment;

	PropertyNameCheck(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		List<PropertyName> names = new ArrayList<>();
		for (PropertySource<?> source : this.environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> listed) {
				for (String spelled : listed.getPropertyNames()) {
					PropertyName.of(source, spelled).ifPresent(names::add);
				}
			}
		}
		if (!names.isEmpty()) {
			check(names, Objects.requireNonNull(beans.getBeanClassLoader()));
		}
	}

	private void check(List<PropertyName> names, ClassLoader classLoader) {
		PropertyTree tree;
		try {
			tree = new PropertyTree(classLoader);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		if (!tree.isKnown()) {
			logger.warn("The names of the properties below kairo are not checked: the configuration metadata of "
					+ "kairo-spring-boot-autoconfigure are missing");
			return;
		}
		List<String> problems = new ArrayList<>();
		for (PropertyName name : names) {
			String problem = problem(name, tree, classLoader);
			if (problem != null) {
				problems.add(name + ": " + problem);
			}
		}
		if (!problems.isEmpty()) {
			throw new UnknownPropertyException(problems);
		}
	}

	private static @Nullable String problem(PropertyName name, PropertyTree tree, ClassLoader classLoader) {
		String absent = AbsentModule.of(name, classLoader)
			.map("it has no effect without the dependency "::concat)
			.orElse(null);
		boolean known = tree.contains(name);
		if (!known && name.isEmpty()
				&& (absent != null || tree.patterns().stream().anyMatch((each) -> each.isBelow(name.elements())))) {
			return null;
		}
		// the metadata of most modules are absent with them
		if (known || (absent != null && !name.isShared())) {
			return name.isSwitchedOff() ? null : absent;
		}
		if (absent != null) {
			logger.warn(name + ": " + absent);
			return null;
		}
		PropertyPattern near = nearest(name, tree);
		if (near == null && name.isShared()) {
			if (tree.patterns().stream().anyMatch((pattern) -> pattern.isBelow(name.elements().subList(0, 2)))) {
				logger.warn(name + " is not a property of Kairo and has no effect");
			}
			return null;
		}
		return "there is no such property" + ((near == null) ? ""
				: "; did you mean " + near + (name.isVariable() ? " (" + near.variable() + ")" : "") + "?");
	}

	/**
	 * Returns the most similar property.
	 * @return the property, null if none is similar
	 */
	private static @Nullable PropertyPattern nearest(PropertyName name, PropertyTree tree) {
		String spelled = name.uniform();
		int farthest = Math.max(2, (spelled.length() - "kairo".length()) / (name.isShared() ? 6 : 3));
		return tree.patterns()
			.stream()
			.map((pattern) -> new Candidate(pattern, pattern.distance(spelled)))
			.filter((candidate) -> candidate.distance() <= farthest)
			.min(Comparator.comparingInt(Candidate::distance))
			.map(Candidate::pattern)
			.orElse(null);
	}

	private record Candidate(PropertyPattern pattern, int distance) {
	}

}

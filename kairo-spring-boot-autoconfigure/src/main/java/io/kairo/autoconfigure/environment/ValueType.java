package io.kairo.autoconfigure.environment;

import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The names below a property, determined by its type: the metadata do not describe the
 * content of a list or a map. A type may have any names if it is not a record, or if a
 * component is of a module that is absent.
 */
final class ValueType {

	private static final Pattern LIST = Pattern.compile("java\\.util\\.(?:List|Set|Collection)<(.+)>|(.+)\\[]");

	private static final Pattern MAP = Pattern.compile("java\\.util\\.Map<[^,]+,(.+)>");

	private final ClassLoader classLoader;

	ValueType(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	/**
	 * Returns the patterns of a property.
	 * @param property its name
	 * @param type its type in the metadata
	 */
	List<PropertyPattern> patterns(PropertyPattern property, @Nullable Object type) {
		String name = String.valueOf(type);
		Matcher map = MAP.matcher(name);
		if (map.matches()) {
			return entries(property, resolve(map.group(1)));
		}
		Matcher list = LIST.matcher(name);
		return list.matches() ? elements(property, resolve((list.group(1) != null) ? list.group(1) : list.group(2)))
				: List.of(property);
	}

	private @Nullable ResolvableType resolve(String name) {
		try {
			return ResolvableType.forClass(ClassUtils.forName(name, this.classLoader));
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return null;
		}
	}

	private List<PropertyPattern> entries(PropertyPattern map, @Nullable ResolvableType value) {
		List<PropertyPattern> patterns = new ArrayList<>(List.of(map));
		patterns.addAll((value != null && value.toClass().isRecord()) ? values(map.with(PropertyPattern.KEY), value)
				: List.of(map.with(PropertyPattern.REST)));
		return patterns;
	}

	private List<PropertyPattern> elements(PropertyPattern list, @Nullable ResolvableType value) {
		List<PropertyPattern> patterns = new ArrayList<>(List.of(list));
		PropertyPattern element = list.with(PropertyPattern.INDEX);
		patterns.addAll((value != null) ? values(element, value) : List.of(element.with(PropertyPattern.REST)));
		return patterns;
	}

	private List<PropertyPattern> values(PropertyPattern property, ResolvableType type) {
		Class<?> value = type.toClass();
		if (Map.class.isAssignableFrom(value)) {
			return entries(property, type.asMap().getGeneric(1));
		}
		if (Collection.class.isAssignableFrom(value)) {
			return elements(property, type.asCollection().getGeneric(0));
		}
		List<PropertyPattern> patterns = new ArrayList<>(List.of(property));
		if (value.isRecord()) {
			patterns.addAll(components(property, value));
		}
		else if (!BeanUtils.isSimpleValueType(value) && !value.getName().startsWith("org.springframework.util.")) {
			patterns.add(property.with(PropertyPattern.REST));
		}
		return patterns;
	}

	private List<PropertyPattern> components(PropertyPattern property, Class<?> type) {
		List<PropertyPattern> patterns = new ArrayList<>();
		try {
			Constructor<?> constructor = BeanUtils.getResolvableConstructor(type);
			for (int i = 0; i < constructor.getParameterCount(); i++) {
				patterns.addAll(values(property.with(name(constructor.getParameters()[i])),
						ResolvableType.forConstructorParameter(constructor, i)));
			}
			return patterns;
		}
		catch (LinkageError ex) {
			return List.of(property.with(PropertyPattern.REST));
		}
	}

	private static String name(Parameter parameter) {
		Name name = parameter.getAnnotation(Name.class);
		return (name != null) ? name.value() : DataObjectPropertyName.toDashedForm(parameter.getName());
	}

}

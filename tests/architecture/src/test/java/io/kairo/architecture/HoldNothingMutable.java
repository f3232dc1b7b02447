package io.kairo.architecture;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/**
 * Rejects static fields that hold mutable objects: collections that are not declared as
 * {@code List}, {@code Set}, {@code Map} or {@code Collection}, or are created by a
 * constructor instead of {@code of} and {@code copyOf}; atomics, locks, thread locals and
 * executors; arrays that are not private.
 */
class HoldNothingMutable extends ArchCondition<JavaField> {

	private static final Set<String> PLAIN = Set.of(Collection.class.getName(), List.class.getName(),
			Map.class.getName(), Set.class.getName());

	private static final Pattern MUTABLE = Pattern
		.compile("java\\.util\\.concurrent\\..*|java\\.lang\\.(ThreadLocal|Thread|StringBuilder|StringBuffer)"
				+ "|java\\.util\\.(BitSet|Random|StringJoiner)");

	private static final Pattern CONSTRUCTED = Pattern
		.compile("java\\.util\\.(concurrent\\.)?\\w*(List|Map|Set|Queue|Deque|Vector|Hashtable|Properties)");

	private static final Set<String> IMMUTABLE = Set.of("java.util.concurrent.TimeUnit");

	HoldNothingMutable() {
		super("hold nothing mutable");
	}

	@Override
	public void check(JavaField field, ConditionEvents events) {
		if (!field.getModifiers().contains(JavaModifier.SYNTHETIC) && isMutable(field)) {
			events.add(SimpleConditionEvent.violated(field, field.getDescription() + " holds a mutable object: "
					+ "make it immutable, or an instance field " + field.getSourceCodeLocation()));
		}
	}

	private static boolean isMutable(JavaField field) {
		JavaClass type = field.getRawType();
		if (type.isArray()) {
			return !field.getModifiers().contains(JavaModifier.PRIVATE);
		}
		if (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class)) {
			return !PLAIN.contains(type.getName()) || constructsContainers(field.getOwner());
		}
		return MUTABLE.matcher(type.getName()).matches() && !IMMUTABLE.contains(type.getName());
	}

	private static boolean constructsContainers(JavaClass owner) {
		return owner.getStaticInitializer()
			.stream()
			.flatMap((initializer) -> initializer.getConstructorCallsFromSelf().stream())
			.anyMatch((call) -> CONSTRUCTED.matcher(call.getTargetOwner().getName()).matches());
	}

}

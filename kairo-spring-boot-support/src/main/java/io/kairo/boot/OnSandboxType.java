package io.kairo.boot;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The condition of {@link ConditionalOnSandboxType}. Before others, since they may load
 * the classes of the sandbox.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class OnSandboxType extends SpringBootCondition {

	OnSandboxType() {
	}

	/**
	 * Returns a type as drivers and messages spell it.
	 * @param type the type as a configuration spells it
	 * @return the type in lower-case letters and digits
	 */
	public static String canonical(String type) {
		return type.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String type = metadata.getAnnotations().get(ConditionalOnSandboxType.class).getString("value");
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSandboxType.class, type);
		Binder binder = Binder.get(context.getEnvironment());
		Set<String> named = new HashSet<>();
		binder.bind("kairo.sandbox.type", String.class).ifBound(named::add);
		binder.bind("kairo.sandbox.auto-order", Bindable.listOf(String.class)).ifBound(named::addAll);
		binder.bind("kairo.sandbox.tenants", Bindable.mapOf(String.class, Tenant.class))
			.orElseGet(Map::of)
			.values()
			.forEach((tenant) -> named.addAll((tenant.type() != null) ? List.of(tenant.type()) : List.of()));
		return new ConditionOutcome(named.stream().map(OnSandboxType::canonical).anyMatch(type::equals),
				message.because("the configuration names the types " + named));
	}

	/**
	 * The part of the settings of a tenant that names a type.
	 *
	 * @param type the type, or null
	 */
	record Tenant(@Nullable String type) {

	}

}

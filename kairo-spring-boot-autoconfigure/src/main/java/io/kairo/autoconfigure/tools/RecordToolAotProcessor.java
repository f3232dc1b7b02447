package io.kairo.autoconfigure.tools;

import java.lang.reflect.RecordComponent;

import io.kairo.tools.RecordTool;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Registers reflection hints for the input records of all tools, including tools of the
 * application, since these records are bound by Jackson and described by a schema.
 */
final class RecordToolAotProcessor implements BeanRegistrationAotProcessor {

	private static final boolean TOOLS = ClassUtils.isPresent("io.kairo.tools.RecordTool",
			RecordToolAotProcessor.class.getClassLoader());

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		return (TOOLS && RecordTool.class.isAssignableFrom(bean.getBeanClass())) ? contribution(bean) : null;
	}

	private static BeanRegistrationAotContribution contribution(RegisteredBean bean) {
		ResolvableType input = bean.getBeanType().as(RecordTool.class).getGeneric();
		return (generation, code) -> register(input.toClass(), generation.getRuntimeHints().reflection());
	}

	private static void register(Class<?> input, ReflectionHints hints) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints, input);
		// the schema is generated from fields, methods and their annotations
		hints.registerType(input, MemberCategory.ACCESS_DECLARED_FIELDS, MemberCategory.INVOKE_DECLARED_METHODS);
		for (RecordComponent component : input.getRecordComponents()) {
			Class<?> item = ResolvableType.forMethodReturnType(component.getAccessor()).getGeneric().toClass();
			if (item.isRecord()) {
				register(item, hints);
			}
		}
	}

}

package io.kairo.autoconfigure.conformance;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Disabled;

import org.springframework.context.ApplicationContext;

/**
 * The contract of adapters for plain Java.
 */
class JavaAdapterTests extends AdapterContract {

	@Override
	String name() {
		return "java";
	}

	@Override
	boolean findsTenants() {
		return false;
	}

	@Override
	Answer call(ApplicationContext context, @Nullable TenantContext tenant, String tool,
			Map<String, Object> arguments) {
		ToolResult result = context.getBean(AgentSessions.class)
			.callInSession(Objects.requireNonNull(tenant), UUID.randomUUID().toString(),
					(call) -> context.getBean(ToolCatalog.class).call(tool, arguments, call));
		return new Answer(result.text(), result.structured(ToolNaming.CLAUDE), result.error() != null);
	}

	@Override
	@Disabled("a program gets both forms")
	void eitherFormOfAnswerStatesEveryFact(ToolNaming naming, String tools) {
	}

}

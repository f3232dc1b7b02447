package io.kairo.autoconfigure.conformance;

import java.util.Arrays;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.context.ApplicationContext;

/**
 * The contract of adapters for Spring AI. A model gets the message of the exception of a
 * failed call.
 */
class SpringAiAdapterTests extends AdapterContract {

	@Override
	String name() {
		return "spring-ai";
	}

	@Override
	Answer call(ApplicationContext context, @Nullable TenantContext tenant, String tool,
			Map<String, Object> arguments) {
		ToolCallback callback = Arrays
			.stream(context.getBean("kairoToolCallbackProvider", ToolCallbackProvider.class).getToolCallbacks())
			.filter((each) -> each.getToolDefinition().name().equals(tool))
			.findFirst()
			.orElseThrow();
		try {
			return new Answer(callback.call(new JsonMapper().writeValueAsString(arguments),
					new ToolContext(Map.of(ChatMemory.CONVERSATION_ID, "s1"))), null, false);
		}
		catch (ToolExecutionException ex) {
			return new Answer(String.valueOf(ex.getMessage()), null, true);
		}
	}

}

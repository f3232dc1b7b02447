package io.kairo.autoconfigure.conformance;

import java.util.Map;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ApplicationContext;

/**
 * The contract of adapters for LangChain4j.
 */
class LangChain4jAdapterTests extends AdapterContract {

	@Override
	String name() {
		return "langchain4j";
	}

	@Override
	@SuppressWarnings("unchecked")
	Answer call(ApplicationContext context, @Nullable TenantContext tenant, String tool,
			Map<String, Object> arguments) {
		InvocationContext invocation = InvocationContext.builder()
			.invocationParameters(InvocationParameters.from(Map.of()))
			.chatMemoryId("s1")
			.build();
		ToolExecutor executor = context.getBean(ToolProvider.class)
			.provideTools(ToolProviderRequest.builder()
				.invocationContext(invocation)
				.userMessage(UserMessage.from("hello"))
				.build())
			.tools()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().name().equals(tool))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElseThrow();
		ToolExecutionResult result = executor.executeWithContext(ToolExecutionRequest.builder()
			.id("1")
			.name(tool)
			.arguments(new JsonMapper().writeValueAsString(arguments))
			.build(), invocation);
		return new Answer(((TextContent) result.resultContents().get(0)).text(), (Map<String, Object>) result.result(),
				result.isError());
	}

}

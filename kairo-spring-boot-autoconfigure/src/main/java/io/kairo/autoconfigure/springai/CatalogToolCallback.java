package io.kairo.autoconfigure.springai;

import java.util.Map;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.boot.CallerTenants;
import io.kairo.autoconfigure.tools.CallEntries;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolDefinition.Answer;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolRefusal;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link ToolCallback} for a tool of the catalog. The model gets the text of the result
 * without changes or, from a tool that answers with {@link Answer#DATA}, the data as
 * JSON. A failure is thrown as an exception, whose message Spring AI passes to the model.
 * <p>
 * The application names the tenant and the session in Spring AI's tool context. By
 * default, the tenant is the tenant of the thread, and the call has a session of its own.
 * Safe for use by several threads.
 *
 * @see CallEntries
 */
final class CatalogToolCallback implements ToolCallback {

	private static final String ADAPTER = "spring-ai";

	private static final TypeReference<Map<String, Object>> ARGUMENTS = new TypeReference<>() {
	};

	private final Definition definition;

	private final ToolCatalog catalog;

	private final AgentSessions sessions;

	private final CallerTenants tenants;

	private final StreamContext stream;

	private final Answer answer;

	private final ToolNaming naming;

	private final JsonMapper mapper;

	CatalogToolCallback(ToolDefinition tool, ToolCatalog catalog, AgentSessions sessions, CallerTenants tenants,
			StreamContext stream, ToolNaming naming, JsonMapper mapper) {
		this.definition = new Definition(tool.name(), tool.description(),
				SingletonSupplier.of(() -> mapper.writeValueAsString(tool.inputSchema())));
		this.catalog = catalog;
		this.sessions = sessions;
		this.tenants = tenants;
		this.stream = stream;
		this.answer = tool.answer();
		this.naming = naming;
		this.mapper = mapper;
	}

	@Override
	public org.springframework.ai.tool.definition.ToolDefinition getToolDefinition() {
		return this.definition;
	}

	@Override
	public String call(String arguments) {
		return call(arguments, null);
	}

	@Override
	public String call(String arguments, @Nullable ToolContext context) {
		Map<String, Object> entries = (context != null) ? context.getContext() : Map.of();
		return this.stream.in(() -> callFor(entries, arguments));
	}

	private String callFor(Map<String, Object> entries, String arguments) {
		SessionRequest session = new CallEntries(entries, "the tool context").session(this::currentTenant,
				entries.get(ChatMemory.CONVERSATION_ID));
		ToolCall call = new ToolCall("", this.definition.name(), parse(arguments, session));
		ToolResult result = this.sessions.call(session, this.catalog, call, (builder) -> builder.adapter(ADAPTER));
		String answer = (this.answer == Answer.DATA) ? this.mapper.writeValueAsString(result.structured(this.naming))
				: result.text();
		if (result.error() != null) {
			throw failure(answer, null);
		}
		return answer;
	}

	private Map<String, Object> parse(String arguments, SessionRequest session) {
		if (arguments.isBlank()) {
			return Map.of();
		}
		try {
			return this.mapper.readValue(arguments, ARGUMENTS);
		}
		catch (JacksonException ex) {
			ToolError error = new ToolError(ToolError.INVALID_ARGUMENTS, "The arguments are not a JSON object: "
					+ ex.getOriginalMessage() + ". Send an object with the parameters of the schema.", null);
			throw failure(refused(session.tenant(), session.sessionId(), error), ex);
		}
	}

	private TenantContext currentTenant() {
		return this.tenants.current().orElseThrow(() -> failure(refused(null, null, ToolError.tenantRequired()), null));
	}

	private String refused(@Nullable TenantContext tenant, @Nullable String sessionId, ToolError error) {
		return this.catalog.refuse(new ToolRefusal(this.definition.name(), tenant, sessionId, ADAPTER, error)).text();
	}

	private ToolExecutionException failure(String message, @Nullable Exception cause) {
		return new ToolExecutionException(this.definition, new IllegalStateException(message, cause));
	}

	/**
	 * A definition whose schema is generated when it is first read, not at the start.
	 */
	private record Definition(String name, String description,
			Supplier<String> schema) implements org.springframework.ai.tool.definition.ToolDefinition {

		@Override
		public String inputSchema() {
			return this.schema.get();
		}

	}

}

package io.kairo.autoconfigure.langchain4j;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.kairo.api.tenant.TenantContext;
import io.kairo.boot.CallerTenants;
import io.kairo.autoconfigure.tools.CallEntries;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolAttachment;
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

/**
 * {@link ToolExecutor} for a tool of the catalog. The model gets the text of the result
 * without changes or, from a tool that answers with {@link Answer#DATA}, the data as
 * JSON; a failure is marked as such. Images and PDF documents are contents beside the
 * text.
 * <p>
 * The application names the tenant and the session in the invocation parameters. By
 * default, the tenant is the tenant of the thread, and the session is the session of the
 * chat memory, if the application gave it an id. Safe for use by several threads.
 *
 * @see CallEntries
 */
final class CatalogToolExecutor implements ToolExecutor {

	private static final String ADAPTER = "langchain4j";

	private static final TypeReference<Map<String, Object>> ARGUMENTS = new TypeReference<>() {
	};

	/** The id of a chat memory that the application gave none. */
	private static final Object NO_MEMORY = "default";

	private final ToolDefinition tool;

	private final ToolCatalog catalog;

	private final AgentSessions sessions;

	private final CallerTenants tenants;

	private final ToolNaming naming;

	private final JsonMapper mapper;

	CatalogToolExecutor(ToolDefinition tool, ToolCatalog catalog, AgentSessions sessions, CallerTenants tenants,
			ToolNaming naming, JsonMapper mapper) {
		this.tool = tool;
		this.catalog = catalog;
		this.sessions = sessions;
		this.tenants = tenants;
		this.naming = naming;
		this.mapper = mapper;
	}

	/**
	 * {@inheritDoc} Called by applications only; LangChain4j passes the context.
	 */
	@Override
	public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
		return execute(request, Map.of(), memoryId).resultText();
	}

	@Override
	public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
		InvocationParameters parameters = context.invocationParameters();
		return execute(request, (parameters != null) ? parameters.asMap() : Map.of(), context.chatMemoryId());
	}

	private ToolExecutionResult execute(ToolExecutionRequest request, Map<String, Object> entries,
			@Nullable Object memoryId) {
		CallEntries caller = new CallEntries(entries, "the invocation parameters");
		Optional<TenantContext> current = caller.hasTenant() ? Optional.empty() : this.tenants.current();
		if (current.isEmpty() && !caller.hasTenant()) {
			return refused(null, ToolError.tenantRequired());
		}
		SessionRequest session = caller.session(current::orElseThrow, NO_MEMORY.equals(memoryId) ? null : memoryId);
		Map<String, Object> arguments;
		try {
			arguments = parse(request.arguments());
		}
		catch (JacksonException ex) {
			return refused(session,
					new ToolError(ToolError.INVALID_ARGUMENTS,
							"The arguments are not a JSON object: " + ex.getOriginalMessage(),
							"Send an object with the parameters of the schema."));
		}
		ToolCall call = new ToolCall(Objects.requireNonNullElse(request.id(), ""), this.tool.name(), arguments);
		return result(this.sessions.call(session, this.catalog, call,
				(context) -> context.adapter(ADAPTER).carriesAttachments()));
	}

	private ToolExecutionResult refused(@Nullable SessionRequest session, ToolError error) {
		ToolRefusal refusal = (session != null)
				? new ToolRefusal(this.tool.name(), session.tenant(), session.sessionId(), ADAPTER, error)
				: new ToolRefusal(this.tool.name(), null, null, ADAPTER, error);
		return ToolExecutionResult.builder().isError(true).resultText(this.catalog.refuse(refusal).text()).build();
	}

	private Map<String, Object> parse(@Nullable String arguments) {
		return (arguments == null || arguments.isBlank()) ? Map.of() : this.mapper.readValue(arguments, ARGUMENTS);
	}

	private ToolExecutionResult result(ToolResult result) {
		String text = (this.tool.answer() == Answer.DATA)
				? this.mapper.writeValueAsString(result.structured(this.naming)) : result.text();
		ToolExecutionResult.Builder builder = ToolExecutionResult.builder()
			.isError(result.error() != null)
			.result(result.structured(this.naming));
		ToolAttachment attachment = result.attachment();
		return ((attachment == null) ? builder.resultText(text)
				: builder.resultContents(List.of(TextContent.from(text), content(attachment))))
			.build();
	}

	private static dev.langchain4j.data.message.Content content(ToolAttachment attachment) {
		String encoded = Base64.getEncoder().encodeToString(attachment.bytes());
		return attachment.isImage() ? ImageContent.from(encoded, attachment.mediaType())
				: PdfFileContent.from(encoded, attachment.mediaType());
	}

}

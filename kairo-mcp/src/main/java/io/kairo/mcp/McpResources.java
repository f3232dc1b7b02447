package io.kairo.mcp;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolAttachment;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolRefusal;
import io.kairo.tools.ToolResult;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.ListResourcesResult;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import org.jspecify.annotations.Nullable;

/**
 * The files of the caller's workspace as resources. Every access is a call of the tool
 * that reads files, so that all interceptors see it. It is made in a child of the
 * client's session. The child stays in the primary root, and its reading does not count
 * as the model's.
 */
final class McpResources {

	private static final String CHILD = "mcp-resources";

	private static final int PAGE = 200;

	/** Of a URI that the application answers for. */
	private static final int MAX_URI_LENGTH = 8192;

	/**
	 * Codes of failures of reading after the file was found and the caller may read it.
	 */
	private static final Set<String> READABLE = Set.of(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
			WorkspaceErrorCode.TOO_LARGE.code());

	private final ToolCatalog catalog;

	private final AgentSessions sessions;

	private final ToolNaming naming;

	private final String prefix;

	private final Set<String> exposed;

	private final int maxBytes;

	private @Nullable McpSubscriptions subscriptions;

	private Supplier<List<Resource>> others = List::of;

	/**
	 * Creates the resources.
	 * @param naming the naming of the tools
	 * @param prefix the prefix of their names
	 * @param exposed the names of the tools that clients can call
	 * @param maxBytes the maximum size of a file, 0 to offer none
	 */
	McpResources(ToolCatalog catalog, AgentSessions sessions, ToolNaming naming, String prefix, Set<String> exposed,
			int maxBytes) {
		this.catalog = catalog;
		this.sessions = sessions;
		this.naming = naming;
		this.prefix = prefix;
		this.exposed = Set.copyOf(exposed);
		this.maxBytes = maxBytes;
	}

	/**
	 * Completes the resources. Not thread-safe.
	 * @param kept the subscriptions, null if the server has none
	 * @param application supplies the resources of the application
	 */
	void complete(@Nullable McpSubscriptions kept, Supplier<List<Resource>> application) {
		this.subscriptions = kept;
		this.others = application;
	}

	/**
	 * Returns whether files are offered.
	 */
	boolean isOffered() {
		return this.maxBytes > 0 && this.exposed.contains(tool("Read"));
	}

	private String tool(String name) {
		return this.prefix + this.naming.tool(name);
	}

	static ResourceTemplate template() {
		return ResourceTemplate.builder(McpFileUri.TEMPLATE, "workspace-file")
			.title("File of the workspace")
			.description("A file of the workspace by its path, such as kairo://workspace/src/App.java.")
			.build();
	}

	/**
	 * Answers a request that the SDK would answer in the same way for all callers: the
	 * list, and subscriptions. The SDK would keep any number of these without a check of
	 * the caller.
	 * @return the result, null if the server answers the message
	 * @throws McpError if the request fails
	 */
	@Nullable Object answer(McpCall call, McpMessage message) {
		if (!isOffered()) {
			return null;
		}
		return switch (message.method()) {
			case McpSchema.METHOD_RESOURCES_LIST -> list(call, message.cursor());
			case McpSchema.METHOD_RESOURCES_SUBSCRIBE, McpSchema.METHOD_RESOURCES_UNSUBSCRIBE ->
				(call.session() != null && this.subscriptions != null)
						? subscription(call, message, call.session().id(), this.subscriptions) : null;
			default -> null;
		};
	}

	private @Nullable Object subscription(McpCall call, McpMessage message, String session,
			McpSubscriptions subscriptions) {
		String uri = message.uri();
		if (uri == null) {
			throw invalid("The request has no URI");
		}
		TenantContext owner = tenant(call);
		McpFileUri file = McpFileUri.isFile(uri) ? parse(uri) : null;
		if (file == null && uri.length() > MAX_URI_LENGTH) {
			throw invalid("The URI has more than " + MAX_URI_LENGTH + " characters");
		}
		if (message.method().equals(McpSchema.METHOD_RESOURCES_UNSUBSCRIBE)) {
			subscriptions.remove(owner, session, uri);
		}
		else {
			subscriptions.requireRoom(owner, session, uri);
			Object state = (file != null) ? check(call, owner, session, file) : "";
			subscriptions.add(owner, session, uri, file, state);
		}
		return (file != null) ? Map.of() : null;
	}

	/**
	 * Reads a file.
	 * @throws McpError if it cannot be read
	 */
	ReadResourceResult read(McpCall call, String uri) {
		McpFileUri file = parse(uri);
		ToolResult result = readFile(call, tenant(call), file, Map.of(),
				(context) -> context.wholeFiles(this.maxBytes));
		if (result.error() != null) {
			throw error(result.error());
		}
		ToolAttachment attachment = result.attachment();
		if (attachment == null) {
			throw McpError.builder(ErrorCodes.INTERNAL_ERROR)
				.message("The tool " + tool("Read") + " of this server does not return whole files: call it instead")
				.build();
		}
		return ReadResourceResult.builder(List
			.of(new McpFileContents(file, attachment.bytes(), attachment.mediaType(), result.data().get("charset"))
				.toResource()))
			.build();
	}

	private ToolResult readFile(McpCall call, TenantContext tenant, McpFileUri file, Map<String, Object> range,
			UnaryOperator<ToolContext.Builder> context) {
		Map<String, Object> arguments = new LinkedHashMap<>(range);
		arguments.put(this.naming.parameter("file_path"), file.argument());
		return call(call, tenant, "Read", arguments, context);
	}

	private ToolResult call(McpCall call, TenantContext tenant, String tool, Map<String, Object> arguments,
			UnaryOperator<ToolContext.Builder> context) {
		AtomicReference<@Nullable ToolContext> used = new AtomicReference<>();
		ToolResult result = this.sessions.call(session(tenant, call.sessionId()), this.catalog,
				new ToolCall("", tool(tool), arguments), (builder) -> {
					ToolContext.Builder own = context.apply(builder.adapter(McpTools.ADAPTER)
						.cancellation(call.cancellation())
						.carriesAttachments(call::whenClosed));
					used.set(own.build());
					return own;
				});
		ToolError error = result.error();
		return (error != null)
				? ToolResult
					.failure(new ToolError(error.code(), withoutRoots(error.message(), used.get()), error.nextStep()))
				: result;
	}

	/**
	 * Removes the host paths of the roots from a message of a store.
	 */
	private static String withoutRoots(String message, @Nullable ToolContext used) {
		Workspace workspace;
		try {
			workspace = Objects.requireNonNull(used).currentWorkspace();
		}
		catch (RuntimeException ex) {
			// the call was refused before it had a workspace
			return message;
		}
		String shown = message;
		Stream<Path> roots = Stream
			.of(workspace.roots(), workspace.rootAliases().keySet(), workspace.rootAliases().values())
			.flatMap(Collection::stream);
		for (String root : roots.map(Path::toString).sorted(Comparator.comparing(String::length).reversed()).toList()) {
			shown = shown.replace(root + File.separator, "").replace(root, ".");
		}
		return shown;
	}

	private static SessionRequest session(TenantContext tenant, @Nullable String sessionId) {
		return SessionRequest.of(tenant, sessionId).child(CHILD);
	}

	/**
	 * Returns the URI of a file for a result.
	 * @param path the path as spelled in the result
	 * @param used the context of the call, null if it is not known
	 * @return the URI of the resource, or a URI that cannot be resolved if there is none
	 */
	String uri(String path, @Nullable ToolContext used) {
		try {
			if (isOffered() && used != null) {
				WorkspacePath file = used.resolve(path);
				if (file.root().equals(used.files().root().root())) {
					return new McpFileUri(file.relative()).toString();
				}
			}
			return new URI("workspace", null, path.startsWith("/") ? path : "/" + path, null).toASCIIString();
		}
		catch (IllegalArgumentException | IllegalStateException | URISyntaxException ex) {
			return "workspace:/";
		}
	}

	/**
	 * Lists the resources of the application, and the files directly in the primary root
	 * without hidden ones, unless clients cannot call the tool that lists files.
	 * @param cursor the page as returned by the page before, null for the first one
	 */
	private ListResourcesResult list(McpCall call, @Nullable String cursor) {
		int offset = offset(cursor);
		List<Resource> listed = new ArrayList<>();
		if (cursor == null) {
			this.others.get().stream().sorted(Comparator.comparing(Resource::uri)).forEach(listed::add);
		}
		if (!this.exposed.contains(tool("List"))) {
			return ListResourcesResult.builder(listed).build();
		}
		ToolResult result = call(call, tenant(call), "List",
				Map.of("path", ".", "depth", 1, "offset", offset, "limit", PAGE), UnaryOperator.identity());
		if (result.error() != null) {
			throw error(result.error());
		}
		Object entries = result.data().getOrDefault("entries", result.data().get("files"));
		for (Object each : (entries instanceof List<?> list) ? list : List.of()) {
			if (each instanceof Map<?, ?> entry && "file".equals(entry.get("type"))) {
				resource(entry).ifPresent(listed::add);
			}
		}
		Map<String, Object> next = result.complete().next();
		return ListResourcesResult.builder(listed)
			.nextCursor((next != null) ? String.valueOf(next.get("offset")) : null)
			.build();
	}

	private static int offset(@Nullable String cursor) {
		if (cursor == null) {
			return 0;
		}
		if (!cursor.matches("[1-9][0-9]{0,8}")) {
			throw invalid("The cursor is not one of this server: leave it out to begin with the first page");
		}
		return Integer.parseInt(cursor);
	}

	/**
	 * Returns the resource of an entry, empty if no URI names it.
	 */
	private static Optional<Resource> resource(Map<?, ?> entry) {
		Object path = (entry.get("path") != null) ? entry.get("path") : entry.get("name");
		return McpFileUri.ofArgument(String.valueOf(path)).map((file) -> {
			// the SDK refuses a blank name
			String name = file.path().isBlank() ? file.toString() : file.path();
			Resource.Builder resource = Resource.builder(file.toString(), name);
			return ((entry.get("size") instanceof Number size) ? resource.size(size.longValue()) : resource).build();
		});
	}

	/**
	 * Checks that the caller may read a file.
	 * @return the state of the file
	 */
	private Object check(McpCall call, TenantContext tenant, String sessionId, McpFileUri file) {
		ToolResult result = readFile(call, tenant, file, Map.of("limit", 1), UnaryOperator.identity());
		if (result.error() != null && !READABLE.contains(result.error().code())) {
			throw error(result.error());
		}
		return state(tenant, sessionId, file);
	}

	/**
	 * Returns the state of a file. It differs from an earlier one if the file has
	 * changed.
	 */
	Object state(TenantContext tenant, @Nullable String sessionId, McpFileUri file) {
		try {
			return this.sessions.inSession(session(tenant, sessionId), (builder) -> {
				ToolContext context = builder.build();
				WorkspaceFiles files = context.files();
				WorkspaceResult<FileInfo> info = files.info(context.resolve(file.argument()));
				return (info instanceof WorkspaceResult.Failure<FileInfo> failure) ? failure.code().code()
						: Objects.requireNonNullElse(info.value().version(), info.value().type().name());
			});
		}
		catch (WorkspacePathException ex) {
			return ex.code().code();
		}
		catch (WorkspaceException ex) {
			return ex.code().code();
		}
	}

	/**
	 * Returns the tenant of the caller.
	 * @throws McpError if there is none
	 */
	private TenantContext tenant(McpCall call) {
		return call.caller().orElseThrow(() -> {
			this.catalog.refuse(new ToolRefusal(tool("Read"), null, call.sessionId(), McpTools.ADAPTER,
					ToolError.tenantRequired()));
			return error(ToolError.tenantRequired());
		});
	}

	static McpFileUri parse(String uri) {
		try {
			return McpFileUri.parse(uri);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(String.valueOf(ex.getMessage()));
		}
	}

	static McpError invalid(String message) {
		return McpError.builder(ErrorCodes.INVALID_PARAMS).message(message).build();
	}

	private static McpError error(ToolError error) {
		int code = error.code().equals(WorkspaceErrorCode.FILE_NOT_FOUND.code()) ? ErrorCodes.RESOURCE_NOT_FOUND
				: error.code().equals(ToolError.INTERNAL_ERROR) ? ErrorCodes.INTERNAL_ERROR : ErrorCodes.INVALID_PARAMS;
		String message = (error.nextStep() != null) ? error.message() + "\n" + error.nextStep() : error.message();
		return McpError.builder(code).message(message).data(Map.of("error", error.code())).build();
	}

}

package io.kairo.tools;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.routing.TooManyWorkspacesException;
import org.jspecify.annotations.Nullable;

/**
 * The tools of an agent by name, with the interceptors around each call. Immutable and
 * safe for use by several threads.
 */
public final class ToolCatalog {

	private static final Logger logger = System.getLogger(ToolCatalog.class.getName());

	private static final ToolResult NO_PROBLEM = ToolResult.ok("", Map.of());

	/** Directories in which commands have files of their own. */
	private static final Pattern OF_COMMANDS = Pattern
		.compile("/(?:tmp|var/tmp|dev/shm|home/(?:sandbox|agent))/[\\w./+@=-]{1,200}");

	private final Map<String, AgentTool> tools = new LinkedHashMap<>();

	private final OnDemand<List<ToolDefinition>> definitions = new OnDemand<>(() -> definitionsAmong(names()));

	private final List<ToolInterceptor> interceptors;

	private final ToolInterceptor.Chain chain;

	private ToolCatalog(List<AgentTool> tools, List<ToolInterceptor> interceptors) {
		for (AgentTool tool : tools) {
			String name = tool.definition().name();
			AgentTool other = this.tools.putIfAbsent(name, tool);
			if (other != null) {
				throw new IllegalArgumentException(
						"Two tools have the name '" + name + "', " + other.getClass().getName() + " and "
								+ tool.getClass().getName() + ": rename or remove one of them");
			}
		}
		this.interceptors = List.copyOf(interceptors);
		this.chain = chain(0, this::callTool);
	}

	/**
	 * Returns the chain of some interceptors.
	 * @param first the index of the first of them
	 * @param last the call that they surround
	 */
	private Link chain(int first, BiFunction<ToolCall, ToolContext, ToolResult> last) {
		Link chain = new Link(this.interceptors.size(), last);
		for (int i = this.interceptors.size() - 1; i >= first; i--) {
			ToolInterceptor interceptor = this.interceptors.get(i);
			Link rest = chain;
			chain = new Link(i, (call, context) -> intercept(interceptor, call, context, rest));
		}
		return chain;
	}

	/**
	 * Creates a catalog.
	 * @param tools the tools, with unique names
	 * @param interceptors the interceptors, the outermost first
	 * @return the catalog
	 * @throws IllegalArgumentException if two tools have the same name
	 */
	public static ToolCatalog of(List<AgentTool> tools, List<ToolInterceptor> interceptors) {
		return new ToolCatalog(tools, interceptors);
	}

	/**
	 * Returns the names of the tools.
	 * @return the names in the order of the tools, unmodifiable
	 */
	public Set<String> names() {
		return Collections.unmodifiableSet(this.tools.keySet());
	}

	/**
	 * Returns the definitions of the tools. A description of a tool of Kairo names no
	 * tool outside the catalog.
	 * @return the definitions in the order of the tools
	 */
	public List<ToolDefinition> definitions() {
		return this.definitions.get();
	}

	/**
	 * Returns the definitions for a client that has some of the tools. Their descriptions
	 * name no other tool of Kairo.
	 * @param names the names of the tools of the client; other names are ignored
	 * @return the definitions in the order of the tools
	 */
	public List<ToolDefinition> definitionsAmong(Set<String> names) {
		return this.tools.values()
			.stream()
			.filter((tool) -> names.contains(tool.definition().name()))
			.map((tool) -> tool.definitionAmong(names))
			.toList();
	}

	/**
	 * Returns whether a tenant may call a tool. A call is refused otherwise.
	 * @param name the name of the tool
	 * @param tenant the tenant
	 * @return whether the tool exists and all interceptors permit it
	 */
	public boolean isPermitted(String name, TenantContext tenant) {
		AgentTool tool = this.tools.get(name);
		return tool != null
				&& this.interceptors.stream().allMatch((interceptor) -> interceptor.permits(tool.definition(), tenant));
	}

	/**
	 * Calls a tool. Every outcome, including failures, is a result. Interceptors see the
	 * arguments as {@link AgentTool#decode(Map)} returns them.
	 * @param call the call
	 * @param context the context of the call
	 * @return the result
	 */
	public ToolResult call(ToolCall call, ToolContext context) {
		try {
			return this.chain.proceed(decoded(call), context);
		}
		catch (RuntimeException ex) {
			logger.log(Level.ERROR, "An interceptor of tool " + call.name() + " failed", ex);
			return unexpected(call);
		}
	}

	private ToolCall decoded(ToolCall call) {
		AgentTool tool = this.tools.get(call.name());
		Map<String, Object> arguments = (tool != null) ? tool.decode(call.arguments()) : call.arguments();
		return arguments.equals(call.arguments()) ? call : new ToolCall(call.id(), call.name(), arguments);
	}

	/**
	 * Calls a tool by its name, with a generated id of the call.
	 * @param name the name of the tool
	 * @param arguments the arguments as parsed JSON
	 * @param context the context of the call
	 * @return the result
	 */
	public ToolResult call(String name, Map<String, ?> arguments, ToolContext context) {
		return call(new ToolCall(UUID.randomUUID().toString(), name, new LinkedHashMap<>(arguments)), context);
	}

	/**
	 * Tells all interceptors about a call that an adapter refuses.
	 * @param refusal the refusal
	 * @return the result for the caller
	 */
	public ToolResult refuse(ToolRefusal refusal) {
		for (ToolInterceptor interceptor : this.interceptors) {
			try {
				interceptor.refused(refusal);
			}
			catch (RuntimeException ex) {
				logger.log(Level.ERROR, "An interceptor failed for a refused call of tool " + refusal.tool(), ex);
			}
		}
		return ToolResult.failure(refusal.error());
	}

	/**
	 * Turns a refused workspace into a result: an interceptor may be the first that needs
	 * one, and the interceptors around it must see the refusal.
	 */
	private static ToolResult intercept(ToolInterceptor interceptor, ToolCall call, ToolContext context,
			ToolInterceptor.Chain rest) {
		try {
			return interceptor.intercept(call, context, rest);
		}
		catch (WorkspacePathException ex) {
			return logged(call, failure(ex.code().code(), ex, null), ex.getCause());
		}
		catch (WorkspaceException ex) {
			return logged(call, refused(ex), ex.getCause());
		}
	}

	private ToolResult callTool(ToolCall call, ToolContext context) {
		AgentTool tool = this.tools.get(call.name());
		if (tool == null) {
			return ToolResult.failure(ToolError.UNKNOWN_TOOL, "There is no tool called '" + call.name() + "'.",
					this.tools.isEmpty() ? "There are no tools at all."
							: "Call one of " + String.join(", ", this.tools.keySet()) + ".");
		}
		return outcome(call, () -> logged(call, tool.call(call.arguments(), context), null));
	}

	/**
	 * Returns how to read a file that only commands have access to.
	 * @return the advice; null if there is none
	 */
	private @Nullable String advice(ToolCall call, WorkspacePathException ex) {
		String tool = this.tools.keySet()
			.stream()
			.filter((name) -> "Bash".equals(ToolNaming.identity(name)))
			.findFirst()
			.orElse(null);
		return (tool == null || ex.code() != WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED) ? null
				: call.arguments()
					.values()
					.stream()
					.filter((value) -> value instanceof String text && OF_COMMANDS.matcher(text).matches())
					.findFirst()
					.map((path) -> "Use " + tool + ", as in cat '" + path + "', for a file of a command.")
					.orElse(null);
	}

	/**
	 * Turns the exceptions of a tool into results.
	 */
	private ToolResult outcome(ToolCall call, Supplier<ToolResult> work) {
		try {
			return work.get();
		}
		catch (ToolArgumentException ex) {
			return failure(ToolError.INVALID_ARGUMENTS, ex, ex.nextStep());
		}
		catch (WorkspacePathException ex) {
			return logged(call, failure(ex.code().code(), ex, advice(call, ex)), ex.getCause());
		}
		catch (WorkspaceException ex) {
			return logged(call, refused(ex), ex.getCause());
		}
		catch (SandboxException ex) {
			// the cause may contain details that a model must not see, so it is only
			// logged
			ToolError error = ToolError.of(ex);
			logger.log((ex.getCause() != null || error.nextStep() != null) ? Level.WARNING : Level.DEBUG,
					"Failed to start a command", ex);
			return (ex instanceof SandboxLimitException limit) ? LimitExceeded.result(limit)
					: ToolResult.failure(error);
		}
		catch (RuntimeException ex) {
			logger.log(Level.ERROR, "Tool " + call.name() + " failed", ex);
			return unexpected(call);
		}
	}

	private static ToolResult refused(WorkspaceException ex) {
		return (ex instanceof TooManyWorkspacesException many)
				? new LimitExceeded(LimitExceeded.WORKSPACES, many.maximum(), many.retryAfter()).result()
				: failure(ex.code().code(), ex, null);
	}

	/**
	 * Logs access denied by the operating system, since only the operator can resolve it.
	 * @param cause the cause, which may contain details that a model must not see; null
	 * if it is not known
	 */
	private static ToolResult logged(ToolCall call, ToolResult result, @Nullable Throwable cause) {
		ToolError error = result.error();
		if (error != null && error.code().equals(WorkspaceErrorCode.PERMISSION_DENIED.code())) {
			logger.log(Level.WARNING, "Tool " + call.name() + " was denied access: " + error.message()
					+ ((cause != null) ? " (" + cause + ")" : ""));
		}
		return result;
	}

	private static ToolResult unexpected(ToolCall call) {
		return ToolResult.failure(ToolError.INTERNAL_ERROR, "The tool " + call.name() + " failed unexpectedly.",
				"Try another way; the log of the application says more.");
	}

	/**
	 * Returns the failure of a tool that is not called, null if there is none.
	 */
	private @Nullable ToolResult problem(ToolCall call, Function<AgentTool, @Nullable ToolResult> question) {
		AgentTool tool = this.tools.get(call.name());
		if (tool == null) {
			return null;
		}
		ToolResult result = outcome(call, () -> Objects.requireNonNullElse(question.apply(tool), NO_PROBLEM));
		return (result.error() != null) ? result : null;
	}

	private static ToolResult failure(String code, RuntimeException ex, @Nullable String nextStep) {
		return ToolResult.failure(code, Objects.requireNonNullElse(ex.getMessage(), code), nextStep);
	}

	/**
	 * The rest of the chain of a call.
	 */
	private final class Link implements ToolInterceptor.Chain {

		private final int first;

		private final BiFunction<ToolCall, ToolContext, ToolResult> next;

		Link(int first, BiFunction<ToolCall, ToolContext, ToolResult> next) {
			this.first = first;
			this.next = next;
		}

		@Override
		public ToolResult proceed(ToolCall call, ToolContext context) {
			return this.next.apply(call, context);
		}

		@Override
		public @Nullable ToolDefinition definition(String name) {
			AgentTool tool = ToolCatalog.this.tools.get(name);
			return (tool != null) ? tool.definition() : null;
		}

		@Override
		public @Nullable ToolResult validate(ToolCall call, ToolContext context) {
			return failed(call, context, problem(call, (tool) -> tool.validate(call.arguments())));
		}

		@Override
		public @Nullable ToolResult foresee(ToolCall call, ToolContext context) {
			return failed(call, context, problem(call, (tool) -> tool.foresee(call.arguments(), context)));
		}

		/**
		 * Passes a failure through the remaining interceptors. Limits, for example, count
		 * it like the failure of a tool.
		 */
		private @Nullable ToolResult failed(ToolCall call, ToolContext context, @Nullable ToolResult failure) {
			return (failure != null) ? chain(this.first, (last, lastContext) -> failure).proceed(call, context) : null;
		}

	}

}

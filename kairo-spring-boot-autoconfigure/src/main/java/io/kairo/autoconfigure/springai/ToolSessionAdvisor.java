package io.kairo.autoconfigure.springai;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.tools.CallEntries;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * Advisor that names the tenant and the session of a prompt in the tool context, so that
 * an application does not have to. The session belongs to the conversation of the chat
 * memory; a prompt without a conversation has its own session, which ends with the
 * answer. The tenant belongs to the thread that makes the call or subscribes to the
 * stream.
 * <p>
 * Parameters of advisors with the names of the entries of {@link CallEntries} are copied
 * to the tool context. An entry that the application has put there takes precedence. Safe
 * for use by several threads.
 */
public final class ToolSessionAdvisor implements CallAdvisor, StreamAdvisor {

	private static final List<String> PARAMETERS = List.of(CallEntries.SESSION_ID, CallEntries.CHILD,
			CallEntries.WORKSPACE, CallEntries.READ_ONLY, CallEntries.TENANT, TenantContext.ATTR_TENANT_ID,
			TenantContext.ATTR_PRINCIPAL_ID, TenantContext.ATTR_AGENT_ID);

	private final AgentSessions sessions;

	private final TenantContextHolder tenants;

	private final StreamContext streams;

	ToolSessionAdvisor(AgentSessions sessions, TenantContextHolder tenants, StreamContext streams) {
		this.sessions = sessions;
		this.tenants = tenants;
		this.streams = streams;
	}

	@Override
	public String getName() {
		return "kairoToolSession";
	}

	/**
	 * Returns the order before the advisors that call tools.
	 */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		Advice advice = advise(request);
		try {
			return chain.nextCall(advice.request());
		}
		finally {
			advice.end(this.sessions);
		}
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return Flux.usingWhen(
				Mono.deferContextual((context) -> Mono.just(this.streams.in(context, () -> advise(request)))),
				(advice) -> chain.nextStream(advice.request()),
				(advice) -> Mono.<Void>fromRunnable(() -> advice.end(this.sessions))
					.subscribeOn(Schedulers.boundedElastic()));
	}

	private Advice advise(ChatClientRequest request) {
		if (!(request.prompt().getOptions() instanceof ToolCallingChatOptions options)) {
			return new Advice(request, null);
		}
		Map<String, Object> entries = new HashMap<>();
		copy(ChatMemory.CONVERSATION_ID, request.context(), CallEntries.SESSION_ID, entries);
		PARAMETERS.forEach((name) -> copy(name, request.context(), name, entries));
		Map<String, Object> own = Objects.requireNonNullElse(options.getToolContext(), Map.of());
		copy(ChatMemory.CONVERSATION_ID, own, CallEntries.SESSION_ID, entries);
		entries.putAll(own);
		TenantContext tenant = tenant();
		if (tenant != null && entries.get(TenantContext.ATTR_TENANT_ID) == null) {
			entries.put(CallEntries.TENANT, tenant);
			entries.put(TenantContext.ATTR_TENANT_ID, tenant.tenantId());
			entries.put(TenantContext.ATTR_PRINCIPAL_ID, tenant.principalId());
		}
		SessionRequest alone = null;
		if (entries.get(CallEntries.SESSION_ID) == null && entries.get(TenantContext.ATTR_TENANT_ID) != null) {
			entries.put(CallEntries.SESSION_ID, "prompt-" + UUID.randomUUID());
			alone = new CallEntries(entries, "the tool context").session(() -> TenantContext.SINGLE, null);
		}
		Prompt prompt = request.prompt().mutate().chatOptions(options.mutate().toolContext(entries).build()).build();
		return new Advice(request.mutate().prompt(prompt).build(), alone);
	}

	private static void copy(String name, Map<String, ? extends @Nullable Object> from, String target,
			Map<String, Object> to) {
		Object value = from.get(name);
		if (value != null) {
			to.put(target, value);
		}
	}

	/**
	 * Returns the tenant of the thread.
	 * @return the tenant; null if there is none, so that the tools determine or refuse it
	 */
	private @Nullable TenantContext tenant() {
		try {
			return this.tenants.current();
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * A request with the entries of its tools.
	 *
	 * @param request the request
	 * @param own the session of the prompt alone; null if it belongs to a conversation
	 */
	private record Advice(ChatClientRequest request, @Nullable SessionRequest own) {

		void end(AgentSessions sessions) {
			if (this.own != null) {
				sessions.end(this.own.tenant(), String.valueOf(this.own.sessionId()));
			}
		}

	}

}

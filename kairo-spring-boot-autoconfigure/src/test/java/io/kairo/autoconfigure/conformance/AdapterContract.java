package io.kairo.autoconfigure.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.SharedApplications;
import io.kairo.boot.TenantRequiredException;
import io.kairo.governance.audit.ArgumentDigest;
import io.kairo.governance.audit.AuditRecord;
import io.kairo.governance.audit.AuditRecord.Event;
import io.kairo.governance.audit.AuditSink;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The contract of adapters: a call has the same text, data, errors, limits, audit and
 * cancellation, whichever adapter it comes through.
 */
@Timeout(60)
abstract class AdapterContract {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final TenantContext GLOBEX = new TenantContext("globex", "gus");

	/** A tenant with three calls per minute. */
	private static final TenantContext LIMITED = new TenantContext("limited", "lee");

	@RegisterExtension
	private static final SharedApplications<ConfigurableApplicationContext> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private ConfigurableApplicationContext context;

	/**
	 * Returns the name of the adapter in the audit.
	 */
	abstract String name();

	/**
	 * Calls a tool as the framework of the adapter does.
	 * @param context the application
	 * @param tenant the tenant of the caller, null for a caller without one
	 * @return the answer that the model gets
	 */
	abstract Answer call(ApplicationContext context, @Nullable TenantContext tenant, String tool,
			Map<String, Object> arguments) throws Exception;

	/**
	 * Ends a call that runs on a thread, as the framework of the adapter does.
	 */
	void cancel(ApplicationContext context, Thread caller) throws Exception {
		caller.interrupt();
	}

	/**
	 * Returns further properties of the application.
	 */
	Stream<String> properties() {
		return Stream.of();
	}

	/**
	 * Returns further configuration of the application.
	 */
	Stream<Class<?>> configuration() {
		return Stream.of();
	}

	/**
	 * Returns whether the application determines the tenant of a caller; plain Java names
	 * one with each call.
	 */
	boolean findsTenants() {
		return true;
	}

	/**
	 * Returns whether calls belong to sessions.
	 */
	boolean hasSessions() {
		return true;
	}

	/**
	 * Returns whether the clients of the adapter show their models either the text or the
	 * data.
	 */
	boolean choosesForm() {
		return false;
	}

	/**
	 * Starts an application, or continues with that of an earlier test, whose workspaces
	 * are empty again.
	 */
	void start() throws Exception {
		start(ToolNaming.CLAUDE, "data");
	}

	private void start(ToolNaming naming, String structured) throws Exception {
		for (TenantContext tenant : List.of(ACME, GLOBEX, LIMITED)) {
			SharedApplications.empty(directory.resolve("work/" + tenant.tenantId()));
		}
		boolean whole = naming == ToolNaming.CLAUDE && structured.equals("data");
		SpringApplication application = new SpringApplication(Stream
			.concat(Stream.of(Beans.class, whole ? Application.class : SmallApplication.class), configuration())
			.toArray(Class<?>[]::new));
		this.context = applications.get(application::run,
				Stream
					.concat(Stream.of("server.port=0", "server.address=127.0.0.1", "server.shutdown=immediate",
							"kairo.workspace.roots=" + directory.resolve("work") + "/{tenant}",
							"kairo.state-dir=" + directory.resolve("state-" + naming + "-" + structured),
							"kairo.sandbox.type=process", "kairo.tenancy.limits.limited.calls-per-minute=3",
							"kairo.tools.naming=" + naming, "kairo.mcp.structured-content=" + structured,
							// tools for a history are offered where they are named, or
							// used
							"kairo.mcp.expose=*," + naming.tool("Diff") + "," + naming.tool("Commit") + ","
									+ naming.tool("Push"),
							"kairo.workspace.git.enabled=true"), properties())
					.map((property) -> "--" + property)
					.toArray(String[]::new));
		this.context.getBean(Records.class).records.clear();
	}

	Answer call(String tool, Map<String, Object> arguments) throws Exception {
		return call(ACME, tool, arguments);
	}

	private Answer call(@Nullable TenantContext tenant, String tool, Map<String, Object> arguments) throws Exception {
		Caller caller = this.context.getBean(Caller.class);
		caller.tenant.set(tenant);
		return call(this.context, tenant, tool, arguments);
	}

	/**
	 * Returns how often the tenant of a caller was resolved.
	 */
	int resolvedTenants() {
		return this.context.getBean(Caller.class).resolved.get();
	}

	/**
	 * Makes the same call in plain Java, in a session of its own.
	 */
	private ToolResult expected(String tool, Map<String, Object> arguments) {
		return this.context.getBean(AgentSessions.class)
			.callInSession(ACME, hasSessions() ? "expected" : null,
					(call) -> this.context.getBean(ToolCatalog.class).call(tool, arguments, call));
	}

	List<AuditRecord> records(Event event) {
		return this.context.getBean(Records.class).records.stream()
			.filter((record) -> record.caller().adapter().equals(name()))
			.filter((record) -> record.event() == event)
			.toList();
	}

	private void assertSame(String tool, Map<String, Object> arguments) throws Exception {
		ToolResult expected = expected(tool, arguments);
		Answer answer = call(tool, arguments);
		assertThat(answer.text()).isEqualTo(expected.text());
		assertThat(answer.error()).isEqualTo(expected.error() != null);
		if (answer.data() != null) {
			assertThat(json(answer.data())).isEqualTo(json(expected.structured(ToolNaming.CLAUDE)));
		}
	}

	private static JsonNode json(Map<String, Object> data) {
		JsonMapper mapper = new JsonMapper();
		Map<String, Object> same = new LinkedHashMap<>(data);
		same.remove("durationMs");
		return mapper.readTree(mapper.writeValueAsString(same));
	}

	@Test
	void resultIsTheSame() throws Exception {
		start();
		Files.writeString(directory.resolve("work/acme/a.txt"), "one\n\"two\" \\ \u00e4 \uD83D\uDE00\n\n");
		assertSame("Read", Map.of("file_path", "a.txt"));
		assertSame("Read", Map.of("file_path", "a.txt", "offset", 2, "limit", 1));
		assertSame("Glob", Map.of("pattern", "*.txt"));
		assertSame("Bash", Map.of("command", "echo out; echo err >&2; exit 3"));
		assertSame("Bash", Map.of("cmd", "echo by the name that other tools have"));
	}

	/**
	 * Without {@code kairo.stress=long}, an adapter with both forms has each form and
	 * each naming once.
	 */
	@ParameterizedTest
	@CsvSource({ "CLAUDE, data", "CLAUDE, all", "SNAKE_CASE, data", "SNAKE_CASE, all" })
	void eitherFormOfAnswerStatesEveryFact(ToolNaming naming, String tools) throws Exception {
		boolean paired = (naming == ToolNaming.CLAUDE) == tools.equals("data");
		if (choosesForm() ? paired || LONG : tools.equals("data")) {
			start(naming, tools);
			ToolCalls.makeFiles(directory.resolve("work/acme"));
			assertEveryFact(naming, tools.equals("all"));
		}
	}

	private void assertEveryFact(ToolNaming naming, boolean everyTool) throws Exception {
		Map<String, ToolDefinition> tools = this.context.getBean(ToolCatalog.class)
			.definitions()
			.stream()
			.collect(Collectors.toMap(ToolDefinition::name, Function.identity()));
		AtomicReference<ToolResult> last = this.context.getBean(LastResult.class).result;
		Set<String> called = new TreeSet<>();
		Map<String, Set<String>> unstated = new LinkedHashMap<>();
		String id = "";
		for (ToolCalls.Call call : ToolCalls.under(naming)) {
			if (call.needsSession() && !hasSessions()) {
				called.add(call.tool());
				continue;
			}
			last.set(null);
			Answer answer = call(call.tool(), call.arguments(id));
			ToolResult result = last.get();
			if (result == null) {
				assertThat(hasSessions()).as("%s was refused by the framework", call).isFalse();
				continue;
			}
			called.add(call.tool());
			id = String.valueOf(result.data().getOrDefault("id", id));
			Map<String, Object> data = result.structured(naming);
			boolean isData = tools.get(call.tool()).answer() == ToolDefinition.Answer.DATA;
			if (isData) {
				assertThat(new JsonMapper().readTree(answer.text())).isEqualTo(json(data));
			}
			else {
				unstated.put(call + ": " + answer.text(), Facts.missing(call, answer.text(), data));
			}
			if (choosesForm()) {
				assertThat(answer.data() != null).isEqualTo(isData || everyTool);
			}
			if (choosesForm() && answer.data() != null) {
				data.putAll(isData ? Map.of() : Map.of("text", answer.text()));
				assertThat(json(answer.data())).isEqualTo(json(data));
			}
		}
		unstated.values().removeIf(Set::isEmpty);
		assertThat(unstated).as("facts that are not in the text of a result").isEmpty();
		assertThat(called).containsAll(tools.keySet());
	}

	@Test
	void errorIsTheSame() throws Exception {
		start();
		assertSame("Read", Map.of("file_path", "missing.txt"));
		assertSame("Read", Map.of("file_path", "../globex/a.txt"));
		assertSame("Edit", Map.of("file_path", "missing.txt", "old_string", "a", "new_string", "b"));
		assertSame("Bash", Map.of("command", " "));
	}

	@Test
	void badArgumentIsTheSame() throws Exception {
		start();
		assertSame("Read", Map.of("colour", "red"));
		assertSame("Read", Map.of("file_path", List.of("a")));
		assertSame("Read", Map.of());
	}

	@Test
	void longOutputIsCutAtTheSameLength() throws Exception {
		start();
		ToolResult expected = expected("Bash", Map.of("command", "seq 1 200000"));
		Answer answer = call("Bash", Map.of("command", "seq 1 200000"));
		// the name of the file that has the whole output is another one
		assertThat(answer.text()).hasSizeBetween(expected.text().length() - 100, expected.text().length() + 100);
		assertThat(answer.text().lines().limit(100))
			.containsExactlyElementsOf(expected.text().lines().limit(100).toList());
	}

	@Test
	void tenantsAreSeparate() throws Exception {
		start();
		call(ACME, "Write", Map.of("file_path", "a.txt", "content", "of acme"));
		call(GLOBEX, "Write", Map.of("file_path", "a.txt", "content", "of globex"));
		assertThat(directory.resolve("work/acme/a.txt")).hasContent("of acme");
		assertThat(directory.resolve("work/globex/a.txt")).hasContent("of globex");
	}

	@Test
	void limitIsTheSame() throws Exception {
		start();
		Map<String, Object> arguments = Map.of("pattern", "*");
		assertThat(call(LIMITED, "Glob", arguments).error()).isFalse();
		Answer last = call(LIMITED, "Glob", arguments);
		for (int i = 0; i < 2 && !last.error(); i++) { // opening a session counts as well
			last = call(LIMITED, "Glob", arguments);
		}
		assertThat(last.error()).isTrue();
		assertThat(last.text()).startsWith("rate_limited: The 3 calls of a minute are used up.");
		assertThat(call(GLOBEX, "Glob", arguments).error()).isFalse();
		assertThat(records(Event.CALL_ENDED)).extracting(AuditRecord::code)
			.containsSubsequence("success", "rate_limited", "success");
	}

	@Test
	void callerWithoutTenantIsRefused() throws Exception {
		if (!findsTenants()) {
			return;
		}
		start();
		Answer refused = call(null, "Write", Map.of("file_path", "a.txt", "content", "x"));
		assertThat(refused.error()).isTrue();
		assertThat(refused.text()).startsWith("tenant_required: No tenant could be determined");
		assertThat(directory.resolve("work/acme/a.txt")).doesNotExist();
		assertThat(records(Event.CALL_REFUSED)).singleElement().satisfies((record) -> {
			assertThat(record.code()).isEqualTo("tenant_required");
			assertThat(record.tool()).isEqualTo("Write");
			assertThat(record.caller().tenant()).isNull();
		});
	}

	@Test
	void auditIsTheSame() throws Exception {
		start();
		Map<String, Object> arguments = Map.of("file_path", "a.txt", "content", "x\n");
		call("Write", arguments);
		assertThat(records(Event.CALL_STARTED)).hasSize(1);
		assertThat(records(Event.CALL_ENDED)).singleElement().satisfies((record) -> {
			assertThat(record.caller().tenant()).isEqualTo("acme");
			assertThat(record.caller().principal()).isEqualTo("ann");
			assertThat(record.caller().session() != null).isEqualTo(hasSessions());
			assertThat(record.digest()).isEqualTo(ArgumentDigest.of(new ToolCall("", "Write", arguments)));
			assertThat(record.effects().paths()).extracting(AuditRecord.TouchedPath::path).containsExactly("a.txt");
			assertThat(record.code()).isEqualTo("success");
		});
	}

	@Test
	void cancelledCallEndsItsCommand() throws Exception {
		start();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		Thread caller = new Thread(() -> {
			try {
				call("Bash", Map.of("command", "touch started; exec sleep 300"));
			}
			catch (Throwable ex) {
				failure.set(ex);
			}
		});
		caller.start();
		await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(directory.resolve("work/acme/started")));
		cancel(this.context, caller);
		await().atMost(Duration.ofSeconds(20)).until(() -> !records(Event.CALL_ENDED).isEmpty());
		assertThat(records(Event.CALL_ENDED)).singleElement().satisfies((record) -> {
			assertThat(record.code()).isEqualTo("cancelled");
			assertThat(record.effects().commands()).singleElement()
				.satisfies((command) -> assertThat(command.signal()).isEqualTo(SandboxExit.CANCELLED));
		});
		caller.join(20_000);
		assertThat(caller.isAlive()).isFalse();
	}

	/**
	 * The answer that a model gets.
	 *
	 * @param text the text
	 * @param data the data, null if the adapter passes none
	 * @param error whether it is marked as an error
	 */
	record Answer(String text, @Nullable Map<String, Object> data, boolean error) {

	}

	/**
	 * An application with all auto-configurations of the class path.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/**
	 * An application that answers in another form.
	 */
	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class SmallApplication {

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		Records records() {
			return new Records();
		}

		@Bean
		LastResult lastResult() {
			return new LastResult(new AtomicReference<>());
		}

		@Bean
		Caller caller() {
			return new Caller();
		}

	}

	/**
	 * The result of the last call, as the tool returned it.
	 */
	record LastResult(AtomicReference<@Nullable ToolResult> result) implements ToolInterceptor {

		@Override
		public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
			ToolResult result = chain.proceed(call, context);
			this.result.set(result);
			return result;
		}

	}

	static final class Records implements AuditSink {

		private final List<AuditRecord> records = new CopyOnWriteArrayList<>();

		@Override
		public String name() {
			return "test";
		}

		@Override
		public void append(List<AuditRecord> added) {
			this.records.addAll(added);
		}

	}

	/**
	 * The authenticated caller, on every thread that has no other one.
	 */
	static final class Caller implements TenantContextHolder {

		private final AtomicInteger resolved = new AtomicInteger();

		private final AtomicReference<@Nullable TenantContext> tenant = new AtomicReference<>(ACME);

		private final ThreadLocal<@Nullable TenantContext> bound = new ThreadLocal<>();

		@Override
		public TenantContext current() {
			this.resolved.incrementAndGet();
			TenantContext current = (this.bound.get() != null) ? this.bound.get() : this.tenant.get();
			if (current == null) {
				throw new TenantRequiredException();
			}
			return current;
		}

		@Override
		public Scope bind(TenantContext context) {
			TenantContext before = this.bound.get();
			this.bound.set(Objects.requireNonNull(context));
			return () -> this.bound.set(before);
		}

	}

}

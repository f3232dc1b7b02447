package io.kairo.governance.policy;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentTool;
import io.kairo.tools.Cancellation;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDecision;
import io.kairo.tools.ToolDecision.Outcome;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link PolicyInterceptor} and {@link Approvals}.
 */
class PolicyInterceptorTests {

	private static final Map<String, String> SECRETS = Map.of("forge", "tok\"en-0123456789", "short", "echo");

	private static final ApprovalOptions OPTIONS = new ApprovalOptions(Duration.ofMinutes(5), Duration.ofMillis(20), 3,
			Duration.ofHours(1));

	@TempDir
	private Path directory;

	private final List<ToolDecision> decisions = new CopyOnWriteArrayList<>();

	private final List<ApprovalHandler> handlers = new ArrayList<>();

	private final AtomicInteger made = new AtomicInteger();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	/** Milliseconds by which the clock of the machine is set forward or back. */
	private final AtomicLong shift = new AtomicLong();

	/** Milliseconds that pass at once. */
	private final AtomicLong passed = new AtomicLong();

	private ApprovalStore store = new InMemoryApprovalStore();

	private ToolPolicy policy = new ToolPolicy(
			List.of(PolicyRule.deny("no-secrets").paths("secrets/**").reason("Secrets stay.").build(),
					PolicyRule.allow("read").tools("Read").build(), PolicyRule.ask("changes").build()));

	private List<AgentTool> tools = PolicyFixture.tools();

	private ToolContext context;

	@BeforeEach
	void open() {
		this.context = context("acme", "s1");
	}

	@AfterEach
	void close() {
		this.executor.shutdownNow();
	}

	private ToolContext context(String tenant, String session) {
		return PolicyFixture.context(this.directory, tenant, session)
			.toBuilder()
			.decisions(this.decisions::add)
			.build();
	}

	private Approvals approvals() {
		Clock clock = new Clock() {

			@Override
			public ZoneOffset getZone() {
				return ZoneOffset.UTC;
			}

			@Override
			public Clock withZone(ZoneId zone) {
				return this;
			}

			@Override
			public Instant instant() {
				return Instant.now()
					.plusMillis(PolicyInterceptorTests.this.shift.get() + PolicyInterceptorTests.this.passed.get());
			}

		};
		return new Approvals(this.store, this.handlers, OPTIONS, clock,
				() -> System.nanoTime() + this.passed.get() * 1_000_000);
	}

	private ToolCatalog catalog(Approvals approvals) {
		ToolInterceptor counting = (call, context, chain) -> {
			ToolResult result = chain.proceed(call, context);
			if (result.error() == null && !Boolean.TRUE.equals(call.arguments().get("dry_run"))) {
				this.made.incrementAndGet();
			}
			return result;
		};
		return ToolCatalog.of(this.tools, List.of(
				new PolicyInterceptor(this.policy, approvals, (tenant) -> tenant.equals("acme") ? SECRETS : Map.of()),
				counting));
	}

	private Future<ToolResult> write(Approvals approvals, ToolContext context, String file) {
		return call(approvals, context, "Write", Map.of("file_path", file, "content", "x"));
	}

	private Future<ToolResult> call(Approvals approvals, ToolContext context, String tool,
			Map<String, Object> arguments) {
		return this.executor.submit(() -> catalog(approvals).call(new ToolCall("1", tool, arguments), context));
	}

	private static PendingApproval pending(Approvals approvals) {
		return await().until(() -> approvals.pending(null), (pending) -> pending.size() == 1).get(0);
	}

	private static String code(ToolResult result) {
		ToolError error = result.error();
		return (error != null) ? error.code() : "success";
	}

	@Test
	void allowedCallIsMade() throws Exception {
		Files.writeString(this.directory.resolve("a"), "x");
		assertThat(code(call(approvals(), this.context, "Read", Map.of("file_path", "a")).get())).isEqualTo("success");
		assertThat(this.decisions).containsExactly(new ToolDecision(Outcome.ALLOWED, "read", null));
	}

	@Test
	void deniedCallIsRefusedWithItsReason() throws Exception {
		ToolResult result = call(approvals(), this.context, "Read", Map.of("file_path", "secrets/a")).get();
		assertThat(code(result)).isEqualTo(PolicyInterceptor.DENIED);
		assertThat(result.text()).contains("Secrets stay.");
		assertThat(this.made).hasValue(0);
		assertThat(this.decisions).containsExactly(new ToolDecision(Outcome.DENIED, "no-secrets", null));
	}

	@ParameterizedTest
	@CsvSource({ "CLAUDE, ''", "CLAUDE, kairo_", "SNAKE_CASE, ''", "SNAKE_CASE, kairo_" })
	void ruleOnPathsAppliesToEveryTool(ToolNaming naming, String prefix) throws Exception {
		this.tools = PolicyFixture.tools(naming, prefix);
		this.policy = new ToolPolicy(List.of(PolicyRule.deny("no-secrets").paths("secrets/**").build(),
				PolicyRule.deny("no-rm").commands("rm").build()), PolicyAction.ALLOW, Map.of());
		String path = (naming == ToolNaming.CLAUDE) ? "file_path" : "path";
		String patch = "*** Begin Patch\n*** Add File: secrets/b\n+x\n*** End Patch\n";
		Map<String, Map<String, Object>> calls = Map.of("Read", Map.of(path, "secrets/a"), "Grep",
				Map.of("pattern", "x"), "ApplyPatch", Map.of("patch", patch), "Undelete", Map.of("path", "secrets/a"),
				"Glob", Map.of("pattern", "secrets/*"), "BashInput",
				Map.of((naming == ToolNaming.CLAUDE) ? "bash_id" : "command_id", "1", "text", "rm x"), "Bash",
				Map.of("command", "rm x"));
		for (Map.Entry<String, Map<String, Object>> each : calls.entrySet()) {
			ToolResult result = call(approvals(), this.context, prefix + naming.tool(each.getKey()), each.getValue())
				.get();
			assertThat(code(result)).as(each.getKey() + ": " + result.text()).isEqualTo(PolicyInterceptor.DENIED);
		}
		assertThat(this.directory.resolve("secrets")).doesNotExist();
		assertThat(this.made).hasValue(0);
	}

	static Stream<String> tools() {
		return PolicyFixture.tools().stream().map((tool) -> tool.definition().name());
	}

	@ParameterizedTest
	@MethodSource("tools")
	void argumentsAreValidatedBeforeAnyRule(String tool) throws Exception {
		this.policy = new ToolPolicy(List.of(PolicyRule.deny("no-secrets").paths("secrets/**").build()));
		ToolResult result = call(approvals(), this.context, tool, Map.of("file_pth", "a")).get();
		assertThat(code(result)).isEqualTo(ToolError.INVALID_ARGUMENTS);
		assertThat(result.text()).contains("'file_pth'");
		assertThat(this.decisions).isEmpty();
		assertThat(this.made).hasValue(0);
	}

	@Test
	void argumentOfAnotherTypeIsNotAskedAbout() throws Exception {
		Approvals approvals = approvals();
		ToolResult result = call(approvals, this.context, "Write",
				Map.of("file_path", "a", "content", Map.of("text", "x")))
			.get(1, TimeUnit.MINUTES);
		assertThat(code(result)).isEqualTo(ToolError.INVALID_ARGUMENTS);
		assertThat(approvals.pending(null)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "Write | file_path=unread, content=x | stale_read",
			"Write | file_path=new, content=x, expected_version=sha256:0 | stale_read",
			"write_file | path=unread, content=x, expected_version=absent | stale_read",
			"write_file | path=new, content=x, expected_version=sha256:0 | stale_read",
			"Edit | file_path=unread, old_string=missing, new_string=x | no_match",
			"Edit | file_path=unread, old_string=one, new_string=x, expected_version=sha256:0 | stale_read",
			"ApplyPatch | patch=nonsense | invalid_arguments", "Move | source=missing, destination=b | file_not_found",
			"Move | source=unread, destination=tree | file_exists",
			"Copy | source=tree, destination=b | is_a_directory", "Delete | path=tree | directory_not_empty",
			"Delete | path=missing | file_not_found" })
	void callThatWouldFailIsNotAskedAbout(String tool, String arguments, String code) throws Exception {
		Files.writeString(this.directory.resolve("unread"), "one\n");
		Files.createDirectories(this.directory.resolve("tree/sub"));
		Map<String, Object> given = new HashMap<>();
		for (String argument : arguments.split(", ")) {
			given.put(argument.split("=")[0], argument.split("=")[1]);
		}
		if (tool.equals("write_file")) {
			this.tools = PolicyFixture.tools(ToolNaming.SNAKE_CASE, "");
		}
		Approvals approvals = approvals();
		ToolResult result = call(approvals, this.context, tool, given).get(1, TimeUnit.MINUTES);
		assertThat(code(result)).isEqualTo(code);
		assertThat(approvals.pending(null)).isEmpty();
		assertThat(this.decisions).isEmpty();
		assertThat(this.made).hasValue(0);
		assertThat(this.directory.resolve("unread")).hasContent("one");
		assertThat(this.directory.resolve("tree/sub")).isDirectory();
		assertThat(this.directory.resolve("new")).doesNotExist();
	}

	@Test
	void writeOfAFileThatWasReadSucceedsAfterItsApproval() throws Exception {
		Files.writeString(this.directory.resolve("a"), "one\n");
		Approvals approvals = approvals();
		assertThat(code(call(approvals, this.context, "Read", Map.of("file_path", "a")).get())).isEqualTo("success");
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo("success");
		assertThat(this.directory.resolve("a")).hasContent("x");
	}

	@Test
	void approvedWriteOfAFileThatChangedMeanwhileIsNotMade() throws Exception {
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		Files.writeString(this.directory.resolve("a"), "other");
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo(PolicyInterceptor.STALE);
		assertThat(this.directory.resolve("a")).hasContent("other");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "tree" })
	void approvedMoveOfWhatChangedMeanwhileIsNotMade(String moved) throws Exception {
		this.policy = new ToolPolicy(List.of(PolicyRule.ask("all").build()));
		Files.writeString(this.directory.resolve("a"), "one");
		Files.createDirectories(this.directory.resolve("tree"));
		Approvals approvals = approvals();
		Future<ToolResult> call = call(approvals, this.context, "Move", Map.of("source", moved, "destination", "new"));
		PendingApproval pending = pending(approvals);
		Files.writeString(this.directory.resolve(moved.equals("a") ? "a" : "tree/b"), "other");
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo(PolicyInterceptor.STALE);
		assertThat(this.directory.resolve("new")).doesNotExist();
	}

	@Test
	void approvedCallIsMadeOnce() throws Exception {
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		assertThat(pending.tenant()).isEqualTo("acme");
		assertThat(pending.session()).isEqualTo("s1");
		assertThat(pending.rule()).isEqualTo("changes");
		assertThat(pending.shown()).contains("\"file_path\" : \"a\"");
		assertThat(this.directory.resolve("a")).doesNotExist();
		assertThat(approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob")))
			.isEqualTo(AnswerResult.ACCEPTED);
		assertThat(code(call.get())).isEqualTo("success");
		assertThat(this.directory.resolve("a")).exists();
		assertThat(this.decisions).containsExactly(new ToolDecision(Outcome.APPROVED, "changes", "bob"));
		assertThat(approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob")))
			.isEqualTo(AnswerResult.ALREADY_ANSWERED);
	}

	@Test
	void answerNeedsTheDigestOfWhatWasShown() throws Exception {
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		assertThat(approvals.answer(pending.id(), "sha256:0", ApprovalAnswer.allowOnce("bob")))
			.isEqualTo(AnswerResult.DIGEST_DIFFERS);
		assertThat(approvals.answer("other", pending.digest(), ApprovalAnswer.allowOnce("bob")))
			.isEqualTo(AnswerResult.UNKNOWN);
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.deny("bob", "Not today."));
		ToolResult result = call.get();
		assertThat(code(result)).isEqualTo(PolicyInterceptor.REJECTED);
		assertThat(result.text()).contains("Not today.");
		assertThat(this.decisions).containsExactly(new ToolDecision(Outcome.REJECTED, "changes", "bob"));
		assertThat(this.made).hasValue(0);
	}

	@Test
	void handlerMayAnswerAtOnceOrLater() throws Exception {
		CompletableFuture<ApprovalAnswer> later = new CompletableFuture<>();
		CompletableFuture<ApprovalAnswer> never = new CompletableFuture<>();
		this.handlers.add((approval, context) -> {
			throw new IllegalStateException("broken");
		});
		this.handlers.add((approval, context) -> approval.shown().contains("now")
				? CompletableFuture.completedFuture(ApprovalAnswer.allowOnce("bot")) : later);
		this.handlers.add((approval, context) -> never);
		Approvals approvals = approvals();
		assertThat(code(write(approvals, this.context, "now").get())).isEqualTo("success");
		Future<ToolResult> call = write(approvals, this.context, "b");
		pending(approvals);
		later.complete(ApprovalAnswer.deny("bot", null));
		assertThat(code(call.get())).isEqualTo(PolicyInterceptor.REJECTED);
		assertThat(never).isCancelled();
	}

	@Test
	void failureAndMissingAnswerOfHandlersAllowNothing() throws Exception {
		this.handlers.add((approval, context) -> CompletableFuture.failedFuture(new IllegalStateException("broken")));
		this.handlers.add((approval, context) -> CompletableFuture.completedFuture(null));
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, this.context, "a");
		pending(approvals);
		this.passed.addAndGet(Duration.ofMinutes(6).toMillis());
		assertThat(code(call.get())).isEqualTo(PolicyInterceptor.EXPIRED);
		assertThat(this.decisions).containsExactly(new ToolDecision(Outcome.EXPIRED, "changes", null));
		assertThat(this.made).hasValue(0);
	}

	@Test
	void requestExpiresAlthoughTheClockIsSetBack() throws Exception {
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		this.shift.set(-Duration.ofDays(1).toMillis());
		this.passed.addAndGet(Duration.ofMinutes(6).toMillis());
		assertThat(code(call.get())).isEqualTo(PolicyInterceptor.EXPIRED);
		assertThat(approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob")))
			.isEqualTo(AnswerResult.EXPIRED);
	}

	@Test
	void sessionIsAllowedUntilItsEndAlthoughTheClockIsSetBack() throws Exception {
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowForSession("bob", Duration.ofDays(1)));
		assertThat(code(call.get())).isEqualTo("success");
		assertThat(code(write(approvals, this.context, "b").get())).isEqualTo("success");
		assertThat(this.decisions.get(1)).isEqualTo(new ToolDecision(Outcome.APPROVED, "changes", "bob"));
		assertThat(approvals.grants("acme")).hasSize(1);
		assertThat(code(write(approvals, this.context, "secrets/b").get())).isEqualTo(PolicyInterceptor.DENIED);

		Future<ToolResult> otherTenant = write(approvals, context("other", "s1"), "c");
		PendingApproval other = pending(approvals);
		assertThat(other.tenant()).isEqualTo("other");
		approvals.answer(other.id(), other.digest(), ApprovalAnswer.deny("bob", null));
		assertThat(code(otherTenant.get())).isEqualTo(PolicyInterceptor.REJECTED);

		this.shift.set(-Duration.ofDays(1).toMillis());
		this.passed.addAndGet(OPTIONS.maxSessionGrant().toMillis());
		Future<ToolResult> later = write(approvals, this.context, "d");
		PendingApproval again = pending(approvals);
		approvals.answer(again.id(), again.digest(), ApprovalAnswer.deny("bob", null));
		assertThat(code(later.get())).isEqualTo(PolicyInterceptor.REJECTED);
	}

	@Test
	void sessionWithoutIdCannotBeAllowed() throws Exception {
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, context("acme", null), "a");
		PendingApproval pending = pending(approvals);
		assertThatIllegalArgumentException().isThrownBy(() -> approvals.answer(pending.id(), pending.digest(),
				ApprovalAnswer.allowForSession("bob", Duration.ofMinutes(1))));
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo("success");
	}

	@Test
	void repeatedCallFindsItsAnswerAfterARestart() throws Exception {
		Approvals before = approvals();
		Cancellation cancellation = new Cancellation();
		Future<ToolResult> call = write(before, this.context.toBuilder().cancellation(cancellation).build(), "a");
		PendingApproval pending = pending(before);
		cancellation.cancel();
		assertThat(code(call.get())).isEqualTo(ToolError.CANCELLED);

		Approvals after = approvals();
		assertThat(after.pending("acme")).containsExactly(pending);
		after.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(write(after, context("acme", "s1"), "a").get())).isEqualTo("success");
		assertThat(this.made).hasValue(1);
		write(after, context("acme", "s1"), "a");
		assertThat(pending(after).id()).isNotEqualTo(pending.id());
	}

	@Test
	void interruptedCallIsNotMade() throws Exception {
		Approvals approvals = approvals();
		CompletableFuture<ToolResult> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> result.complete(catalog(approvals)
			.call(new ToolCall("1", "Write", Map.of("file_path", "a", "content", "x")), this.context)));
		thread.start();
		pending(approvals);
		thread.interrupt();
		assertThat(code(result.get())).isEqualTo(ToolError.CANCELLED);
		assertThat(this.made).hasValue(0);
	}

	@Test
	void differenceOfADryRunIsShown() throws Exception {
		Files.writeString(this.directory.resolve("a"), "one\n");
		Approvals approvals = approvals();
		Future<ToolResult> call = call(approvals, this.context, "Edit",
				Map.of("file_path", "a", "old_string", "one", "new_string", "two"));
		PendingApproval pending = pending(approvals);
		assertThat(pending.shown()).contains("-one").contains("+two");
		assertThat(this.directory.resolve("a")).hasContent("one");
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo("success");
		assertThat(this.directory.resolve("a")).hasContent("two");
	}

	@Test
	void callThatWouldNowDoSomethingElseIsNotMade() throws Exception {
		Files.writeString(this.directory.resolve("a"), "one\n");
		Approvals approvals = approvals();
		Future<ToolResult> call = call(approvals, this.context, "Edit",
				Map.of("file_path", "a", "old_string", "one", "new_string", "two"));
		PendingApproval pending = pending(approvals);
		Files.writeString(this.directory.resolve("a"), "other\none\n");
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo(PolicyInterceptor.STALE);
		assertThat(this.directory.resolve("a")).hasContent("other\none");
	}

	@Test
	void argumentsThatChangeWhileTheyAreShownAreNotExecuted() throws Exception {
		this.policy = new ToolPolicy(List.of(PolicyRule.ask("all").build()));
		List<Object> list = new ArrayList<>(List.of("a"));
		Approvals approvals = approvals();
		Future<ToolResult> call = call(approvals, this.context, "Custom", Map.of("list", list));
		PendingApproval pending = pending(approvals);
		list.set(0, "b");
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo(PolicyInterceptor.STALE);
	}

	@Test
	void differenceIsShownWhateverTheCallSaysOfItsDryRun() throws Exception {
		Files.writeString(this.directory.resolve("a"), "password=hunter2\n");
		Approvals approvals = approvals();
		Future<ToolResult> call = call(approvals, this.context, "MultiEdit", Map.of("file_path", "a", "edits",
				List.of(Map.of("old_string", "password", "new_string", "passwd")), "dryRun", false));
		PendingApproval pending = pending(approvals);
		assertThat(pending.shown()).contains("-password=hunter2").contains("+passwd=hunter2");
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get())).isEqualTo("success");
		assertThat(this.directory.resolve("a")).hasContent("passwd=hunter2");
	}

	@Test
	void approvalIsForTheDirectoryThatWasShown() throws Exception {
		Files.createDirectory(this.directory.resolve("sub"));
		Approvals approvals = approvals();
		Cancellation cancellation = new Cancellation();
		Future<ToolResult> call = call(approvals, this.context.toBuilder().cancellation(cancellation).build(), "Bash",
				Map.of("command", "rm -r *"));
		PendingApproval pending = pending(approvals);
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.deny("bob", null));
		call.get();
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox()) {
			new BashTool(BashOptions.defaults()).call(Map.of("command", "cd sub"),
					this.context.toBuilder().sandbox(sandbox).build());
		}
		call(approvals, this.context, "Bash", Map.of("command", "rm -r *"));
		assertThat(pending(approvals).digest()).isNotEqualTo(pending.digest());
	}

	@Test
	void answerWakesTheCall() throws Exception {
		ApprovalOptions seldom = new ApprovalOptions(Duration.ofHours(1), Duration.ofHours(1), 3, Duration.ofHours(1));
		Approvals approvals = new Approvals(this.store, this.handlers, seldom, Clock.systemUTC());
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		await().until(() -> approvals.waiting() == 1);
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"));
		assertThat(code(call.get(1, TimeUnit.MINUTES))).isEqualTo("success");
		assertThat(approvals.waiting()).isZero();
	}

	@Test
	void closedApprovalsCancelCallsAndKeepTheirRequests() throws Exception {
		Approvals approvals = approvals();
		Future<ToolResult> call = write(approvals, this.context, "a");
		PendingApproval pending = pending(approvals);
		approvals.close();
		assertThat(code(call.get(1, TimeUnit.MINUTES))).isEqualTo(ToolError.CANCELLED);
		assertThat(code(write(approvals, this.context, "b").get(1, TimeUnit.MINUTES))).isEqualTo(ToolError.CANCELLED);
		assertThat(this.made).hasValue(0);
		assertThat(approvals().pending("acme")).hasSize(2).contains(pending);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token=\"$(touch x)\"", "token=`touch x`", "password=hunter2; touch x",
			"-----BEGIN PRIVATE KEY-----; touch x; -----END PRIVATE KEY-----", "curl -u a:$(touch x)" })
	void everythingThatRunsIsShown(String command) throws Exception {
		Approvals approvals = approvals();
		call(approvals, this.context, "Bash", Map.of("command", command));
		assertThat(pending(approvals).shown()).contains(command.replace("\"", "\\\""));
	}

	@Test
	void secretsOfTheTenantAreShownByName() throws Exception {
		Approvals approvals = approvals();
		String command = "echo tok\"en-0123456789 token=other";
		call(approvals, this.context, "Bash", Map.of("command", command));
		PendingApproval pending = pending(approvals);
		assertThat(pending.shown()).contains("echo [secret forge] token=other");
		approvals.answer(pending.id(), pending.digest(), ApprovalAnswer.deny("bob", null));
		call(approvals, context("other", "s1"), "Bash", Map.of("command", command));
		assertThat(pending(approvals).shown()).contains("tok\\\"en-0123456789");
	}

	@Test
	void invisibleCharactersAreShown() throws Exception {
		Approvals approvals = approvals();
		call(approvals, this.context, "Bash", Map.of("command", "echo \u202e\u001b[2K\u3164\u2003\ufe0f\u00ad"));
		assertThat(pending(approvals).shown()).contains("\\u{202e}", "\\u{3164}", "\\u{2003}", "\\u{fe0f}", "\\u{ad}")
			.doesNotContain("\u202e", "\u001b", "\u3164", "\u2003", "\ufe0f", "\u00ad");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0x34f, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f, 0x2065, 0xfff0, 0x16fe4, 0x1d159, 0x1d173,
			0xe0fff })
	void charactersWithoutGlyphAreShown(int character) {
		String text = Character.toString(character);
		assertThat(ShownCall.visible("rm a" + text)).isEqualTo("rm a\\u{%x}".formatted(character));
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "\u202e" })
	void callThatIsTooLongToBeShownCannotBeAllowed(String character) throws Exception {
		Approvals approvals = approvals();
		ToolResult result = call(approvals, this.context, "Bash",
				Map.of("command", "echo " + character.repeat(character.equals("x") ? 100_000 : 20_000) + "; touch x"))
			.get(1, TimeUnit.MINUTES);
		assertThat(code(result)).isEqualTo(PolicyInterceptor.TOO_LONG);
		assertThat(approvals.pending(null)).isEmpty();
		assertThat(this.made).hasValue(0);
	}

	@Test
	void pendingRequestsAreBounded() throws Exception {
		Approvals approvals = approvals();
		for (int i = 0; i < OPTIONS.maxPending(); i++) {
			write(approvals, this.context, "f" + i);
		}
		await().until(() -> approvals.pending("acme").size() == OPTIONS.maxPending());
		assertThat(code(write(approvals, this.context, "more").get())).isEqualTo(PolicyInterceptor.TOO_MANY);
		assertThat(this.made).hasValue(0);
	}

	@Test
	void callIsRefusedIfTheStoreIsDown() throws Exception {
		this.store = (ApprovalStore) Proxy.newProxyInstance(ApprovalStore.class.getClassLoader(),
				new Class<?>[] { ApprovalStore.class }, (proxy, method, arguments) -> {
					throw new ApprovalStoreException("Connection refused", null);
				});
		ToolResult result = write(approvals(), this.context, "a").get();
		assertThat(code(result)).isEqualTo(PolicyInterceptor.UNAVAILABLE);
		assertThat(result.text()).doesNotContain("Connection refused");
		assertThat(this.made).hasValue(0);
		assertThat(this.decisions).containsExactly(new ToolDecision(Outcome.DENIED, "changes", null));
	}

}

package io.kairo.governance.policy;

import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.governance.jdbc.JdbcApprovalStore;
import io.kairo.tools.AgentSession;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The contract of {@link JdbcApprovalStore} with a database.
 */
abstract class JdbcApprovalStoreContract extends ApprovalStoreContract {

	@TempDir
	private Path directory;

	/**
	 * Returns a database with the tables, the same for all calls in a test.
	 */
	abstract DataSource database();

	static void createTables(DataSource database, String schema) throws Exception {
		try (InputStream script = JdbcApprovalStore.class.getResourceAsStream(schema);
				Connection connection = database.getConnection();
				Statement statement = connection.createStatement()) {
			for (String sql : new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8)
				.split(";")) {
				if (!sql.isBlank()) {
					statement.execute(sql);
				}
			}
		}
	}

	@Override
	ApprovalStore open() {
		return new JdbcApprovalStore(database(), Duration.ofSeconds(10));
	}

	/**
	 * Opens a store that keeps its connection.
	 */
	@Override
	ApprovalStore openForMany() throws Exception {
		Connection connection = database().getConnection();
		Connection kept = (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> method.getName().equals("close")
						? null : method.invoke(connection, arguments));
		return new JdbcApprovalStore(
				(DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
						new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> kept),
				Duration.ofSeconds(10));
	}

	@Test
	void eachApprovalIsExecutedOnceByTwoInstances() throws Exception {
		AtomicInteger asked = new AtomicInteger();
		AtomicInteger made = new AtomicInteger();
		ApprovalHandler counting = (approval, context) -> {
			asked.incrementAndGet();
			return new CompletableFuture<>();
		};
		List<Approvals> instances = IntStream.range(0, 2)
			.mapToObj(
					(i) -> new Approvals(open(), List.of(counting),
							new ApprovalOptions(Duration.ofMinutes(5), Duration.ofMillis(500), 100,
									Duration.ofHours(1)),
							Clock.systemUTC()))
			.toList();
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			for (int round = 1; round <= 3; round++) {
				Map<String, Object> arguments = Map.of("command", "round " + round);
				List<Future<ToolResult>> calls = IntStream.range(0, THREADS)
					.mapToObj((i) -> executor.submit(call(instances.get(i % 2), arguments, made)))
					.toList();
				int all = round * THREADS;
				// every look at the database is a connection of its own
				await().atMost(Duration.ofMinutes(1)).until(() -> asked.get() == all);
				PendingApproval pending = instances.get(0).pending("acme").get(0);
				assertThat(instances.get(1).pending(null)).containsExactly(pending);
				assertThat(instances.get(1).answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob")))
					.isEqualTo(AnswerResult.ACCEPTED);
				int used = 0;
				for (Future<ToolResult> call : calls) {
					ToolResult result = call.get();
					if (result.error() != null) {
						assertThat(result.error().code()).isEqualTo(PolicyInterceptor.USED);
						used++;
					}
				}
				assertThat(used).isEqualTo(THREADS - 1);
				assertThat(made).hasValue(round);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	private Callable<ToolResult> call(Approvals approvals, Map<String, Object> arguments, AtomicInteger made) {
		TenantContext owner = new TenantContext("acme", "alice");
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.directory)
			.acquire(new WorkspaceRequest(null, owner, true));
		ToolContext context = ToolContext.builder(workspace).session(new AgentSession("s1", owner, workspace)).build();
		PolicyInterceptor interceptor = new PolicyInterceptor(
				new ToolPolicy(List.of(PolicyRule.ask("ask-bash").tools("Bash").build())), approvals,
				(tenant) -> Map.of());
		return () -> interceptor.intercept(new ToolCall("call-1", "Bash", arguments), context, (call, inner) -> {
			made.incrementAndGet();
			return ToolResult.ok("done", Map.of());
		});
	}

	@Test
	void nameThatCannotBeKeptAsItIsIsRefused() {
		ApprovalStore store = open();
		assertThatExceptionOfType(ApprovalStoreException.class)
			.isThrownBy(() -> add(store, approval("a".repeat(256), "s1", "a")));
		assertThatExceptionOfType(ApprovalStoreException.class)
			.isThrownBy(() -> add(store, approval("acme\0", "s1", "a")));
	}

	@Test
	void requestIsKeptByADataSourceWithoutAutoCommit() {
		DataSource manual = (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
				new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> {
					Connection connection = database().getConnection();
					connection.setAutoCommit(false);
					return connection;
				});
		ApprovalStore store = new JdbcApprovalStore(manual, Duration.ofSeconds(10));
		PendingApproval approval = approval("acme", "s1", "a");
		add(store, approval);
		assertThat(open().find(approval.id())).isPresent();
	}

	@Test
	void oldRowsAreRemoved() {
		ApprovalStore store = open();
		PendingApproval old = approval("acme", "s1", "a");
		add(store, old);
		store.open(approval("acme", "s1", "b"), 100, LATER.plus(Duration.ofDays(8)));
		assertThat(store.find(old.id())).isEmpty();
	}

}

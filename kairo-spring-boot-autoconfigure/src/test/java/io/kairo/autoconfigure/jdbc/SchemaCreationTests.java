package io.kairo.autoconfigure.jdbc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.sql.DataSource;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.audit.KairoAuditAutoConfiguration;
import io.kairo.autoconfigure.ledger.KairoBudgetsAutoConfiguration;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.policy.KairoPolicyAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.governance.audit.AuditSink;
import io.kairo.governance.jdbc.JdbcApprovalStore;
import io.kairo.governance.jdbc.JdbcAuditSink;
import io.kairo.governance.jdbc.JdbcUsageLedger;
import io.kairo.governance.ledger.UsageLedger;
import io.kairo.governance.policy.ApprovalStore;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link SchemaCreation} in a database that is not an embedded one, and for the
 * scripts in the documentation.
 */
class SchemaCreationTests {

	private static final String WRITE = "kairo.docs.write";

	private static final Map<String, Class<?>> USERS = Map.of("approvals", JdbcApprovalStore.class, "audit",
			JdbcAuditSink.class, "budgets", JdbcUsageLedger.class);

	@TempDir
	Path directory;

	private DataSource dataSource;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void createRunner() throws IOException {
		JdbcDataSource file = new JdbcDataSource();
		file.setUrl("jdbc:h2:file:" + this.directory.resolve("database"));
		this.dataSource = file;
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoAuditAutoConfiguration.class,
					KairoPolicyAutoConfiguration.class, KairoBudgetsAutoConfiguration.class,
					KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoTenancyAutoConfiguration.class,
					KairoLimitsAutoConfiguration.class, KairoExecutionsAutoConfiguration.class))
			.withBean(DataSource.class, () -> this.dataSource)
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"),
					"kairo.workspace.roots=" + Files.createDirectory(this.directory.resolve("work")));
	}

	@ParameterizedTest
	@CsvSource({ "kairo.audit.sinks=jdbc, kairo_audit_chain, JdbcAuditSink",
			"kairo.policy.approvals.store=jdbc, kairo_approval, JdbcApprovalStore",
			"kairo.budgets.ledger=jdbc, kairo_usage, JdbcUsageLedger" })
	void missingTableFailsTheStartWithTheRemedy(String feature, String table, String user) {
		this.contextRunner
			.withPropertyValues(feature, "kairo.budgets.enabled=" + feature.startsWith("kairo.budgets"),
					"kairo.policy.otherwise=ask")
			.run((context) -> assertThat(context).getFailure()
				.satisfies(
						(failure) -> assertThat(failure).isInstanceOf(InvalidConfigurationPropertyValueException.class)
							.hasMessageContainingAll("kairo.jdbc.initialize-schema", "'embedded'",
									"the table " + table + " is missing in H2", "set it to always",
									"io/kairo/governance/jdbc/" + user + "-h2.sql")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.audit.sinks=file,jdbc", "kairo.policy.approvals.store=jdbc",
			"kairo.budgets.ledger=jdbc" })
	void absentModuleFailsTheStartWithItsArtifact(String feature) {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.kairo.governance.jdbc"))
			.withPropertyValues(feature, "kairo.budgets.enabled=true", "kairo.policy.otherwise=ask")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContainingAll(feature.substring(0, feature.indexOf('=')),
						"io.kairo:kairo-agent-governance-jdbc"));
	}

	@Test
	void oneSwitchCreatesAllTables() {
		this.contextRunner
			.withPropertyValues("kairo.jdbc.initialize-schema=always", "kairo.audit.sinks=jdbc",
					"kairo.policy.approvals.store=jdbc", "kairo.policy.otherwise=allow", "kairo.budgets.ledger=jdbc",
					"kairo.budgets.enabled=true")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(UsageLedger.class);
				assertThat(write(context.getBean(AgentSessions.class), context.getBean(ToolCatalog.class)).error())
					.isNull();
				assertThat(context.getBean(JdbcAuditSink.class).verify(Optional.empty()).orElseThrow())
					.satisfies((report) -> assertThat(report.records()).isEqualTo(2));
			});
	}

	@Test
	void ownSwitchOverridesTheCommonOne() {
		this.contextRunner
			.withPropertyValues("kairo.jdbc.initialize-schema=always", "kairo.audit.sinks=jdbc",
					"kairo.audit.jdbc.initialize-schema=never")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("kairo.audit.jdbc.initialize-schema", "'never'", "kairo_audit_chain"));
		this.contextRunner
			.withPropertyValues("kairo.jdbc.initialize-schema=never", "kairo.audit.sinks=jdbc",
					"kairo.audit.jdbc.initialize-schema=always")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void databaseThatIsDownDoesNotFailTheStart() {
		boolean[] down = { true };
		DataSource file = this.dataSource;
		this.dataSource = new DelegatingDataSource(file) {

			@Override
			public Connection getConnection() throws SQLException {
				if (down[0]) {
					throw new SQLException("connection refused", "08001");
				}
				return super.getConnection();
			}

		};
		this.contextRunner.withPropertyValues("kairo.audit.sinks=jdbc").run((context) -> {
			assertThat(context).hasNotFailed();
			down[0] = false;
			AgentSessions sessions = context.getBean(AgentSessions.class);
			assertThat(write(sessions, context.getBean(ToolCatalog.class)).error()).isNotNull();
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> context.getBean(AuditSink.class).check())
				.withMessageContainingAll("the table kairo_audit_chain is missing", "kairo.jdbc.initialize-schema");
		});
	}

	@Test
	void messageOfALedgerTellsWhetherTheDatabaseOrATableIsMissing() {
		JdbcUsageLedger ledger = new JdbcUsageLedger(this.dataSource, Duration.ofSeconds(5), (connection) -> {
		});
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> ledger.usage("acme", LocalDate.EPOCH))
			.withMessageStartingWith("A table is missing in the database: ")
			.withMessageContaining("KAIRO_USAGE");
	}

	/**
	 * The scripts in the documentation are those that the application executes, in one
	 * file with the comments of Liquibase.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "h2", "postgresql" })
	void documentedScriptIsExecutedByTheApplication(String database) throws IOException {
		StringBuilder expected = new StringBuilder("--liquibase formatted sql\n");
		for (String feature : List.of("approvals", "audit", "budgets")) {
			Class<?> user = USERS.get(feature);
			String script = new ClassPathResource(user.getSimpleName() + "-" + database + ".sql", user)
				.getContentAsString(StandardCharsets.UTF_8);
			expected.append("\n--changeset kairo:").append(feature).append("-1\n").append(script.strip()).append('\n');
		}
		Path page = documented(database);
		if (Boolean.getBoolean(WRITE)) {
			Files.createDirectories(page.getParent());
			Files.writeString(page, expected);
		}
		assertThat(page).as("stale, run the test with -D" + WRITE + "=true").hasContent(expected.toString());
	}

	@Test
	void documentedScriptCreatesWhatIsNeeded() throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			new ResourceDatabasePopulator(new FileSystemResource(documented("h2"))).populate(connection);
		}
		this.contextRunner
			.withPropertyValues("kairo.jdbc.initialize-schema=never", "kairo.audit.sinks=jdbc",
					"kairo.policy.approvals.store=jdbc", "kairo.policy.otherwise=allow", "kairo.budgets.ledger=jdbc",
					"kairo.budgets.enabled=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatNoException()
					.isThrownBy(() -> context.getBean(ApprovalStore.class).pending("acme", Instant.now()));
			});
	}

	private static Path documented(String database) {
		return Path.of("..", "docs", "ddl", "kairo-" + database + ".sql");
	}

	private static ToolResult write(AgentSessions sessions, ToolCatalog catalog) {
		return sessions.callInSession(TenantContext.SINGLE, "s1",
				(call) -> catalog.call("Write", Map.of("file_path", "a.txt", "content", "x"), call));
	}

}

package io.kairo.autoconfigure.environment;

import java.util.Arrays;
import java.util.Optional;

import org.springframework.util.ClassUtils;

/**
 * The optional artifacts that a group of properties needs to have an effect.
 */
enum AbsentModule {

	GIT("kairo.workspace.git", "io.kairo.workspace.git.GitWorkspaceProvider", "io.kairo:kairo-workspace-git"),

	S3("kairo.workspace.s3", "io.kairo.workspace.s3.S3WorkspaceProvider", "io.kairo:kairo-workspace-s3"),

	WORKSPACE("kairo.workspace", "io.kairo.workspace.local.LocalDirectoryWorkspaceProvider",
			"io.kairo:kairo-workspace-local"),

	BUBBLEWRAP("kairo.sandbox.bubblewrap", "io.kairo.sandbox.bubblewrap.BubblewrapSandbox",
			"io.kairo:kairo-sandbox-local"),

	LANDLOCK("kairo.sandbox.landlock", "io.kairo.sandbox.landlock.LandlockSandbox", "io.kairo:kairo-sandbox-local"),

	DOCKER("kairo.sandbox.docker", "io.kairo.sandbox.docker.DockerSandbox", "io.kairo:kairo-sandbox-docker"),

	MICROVM("kairo.sandbox.microvm", "io.kairo.sandbox.microvm.MicroVmSandbox", "io.kairo:kairo-sandbox-microvm"),

	REMOTE("kairo.sandbox.remote", "io.kairo.sandbox.remote.RemoteSandbox", "io.kairo:kairo-sandbox-remote"),

	SANDBOX_SERVER("kairo.sandbox.server", "io.kairo.sandbox.remote.server.SandboxServer",
			"io.kairo:kairo-sandbox-remote"),

	SECRETS("kairo.secrets", "io.kairo.sandbox.support.proxy.RequestRules", "io.kairo:kairo-sandbox-local"),

	TOOLS("kairo.tools", "io.kairo.tools.ToolCatalog", "io.kairo:kairo-agent-tools"),

	AUDIT_JDBC("kairo.audit.jdbc", "io.kairo.governance.jdbc.JdbcAuditSink", "io.kairo:kairo-agent-governance-jdbc"),

	AUDIT("kairo.audit", "io.kairo.governance.audit.AuditLog", "io.kairo:kairo-agent-governance"),

	JDBC("kairo.jdbc", "io.kairo.governance.jdbc.JdbcAuditSink", "io.kairo:kairo-agent-governance-jdbc"),

	APPROVALS_JDBC("kairo.policy.approvals.jdbc", "io.kairo.governance.jdbc.JdbcApprovalStore",
			"io.kairo:kairo-agent-governance-jdbc"),

	POLICY("kairo.policy", "io.kairo.governance.policy.ToolPolicy", "io.kairo:kairo-agent-governance"),

	BUDGETS_JDBC("kairo.budgets.jdbc", "io.kairo.governance.jdbc.JdbcUsageLedger",
			"io.kairo:kairo-agent-governance-jdbc"),

	BUDGETS("kairo.budgets", "io.kairo.governance.ledger.Budgets", "io.kairo:kairo-agent-governance"),

	MCP("kairo.mcp", "io.kairo.mcp.KairoMcpAutoConfiguration", "io.kairo:kairo-mcp"),

	SPRING_AI("kairo.spring-ai", "org.springframework.ai.tool.ToolCallbackProvider",
			"org.springframework.ai:spring-ai-model, which the starters of Spring AI have"),

	LANGCHAIN4J("kairo.langchain4j", "dev.langchain4j.service.tool.ToolProvider", "dev.langchain4j:langchain4j"),

	HEALTH("kairo.health", "org.springframework.boot.health.contributor.HealthIndicator",
			"org.springframework.boot:spring-boot-starter-actuator"),

	METRICS("kairo.metrics", "io.micrometer.core.instrument.MeterRegistry",
			"org.springframework.boot:spring-boot-starter-actuator");

	private final String group;

	private final String type;

	private final String artifact;

	AbsentModule(String group, String type, String artifact) {
		this.group = group;
		this.type = type;
		this.artifact = artifact;
	}

	private boolean contains(PropertyName name) {
		PropertyPattern pattern = PropertyPattern.of(this.group);
		return name.matches(pattern) || name.matches(pattern.with(PropertyPattern.REST));
	}

	/**
	 * Returns the absent artifact that a property needs.
	 * @return the artifact, empty if the property has an effect
	 */
	static Optional<String> of(PropertyName name, ClassLoader classLoader) {
		return Arrays.stream(values())
			.filter((module) -> module.contains(name))
			.filter((module) -> !ClassUtils.isPresent(module.type, classLoader))
			.map((module) -> module.artifact)
			.findFirst();
	}

}

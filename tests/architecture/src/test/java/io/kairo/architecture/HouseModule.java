package io.kairo.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The module table: the packages of a module, the modules it may use, and the libraries
 * it may use in addition to the JDK and JSpecify. Modules above Spring may use any
 * library; below, only packages named {@code autoconfigure} and the module for databases
 * use Spring.
 */
enum HouseModule {

	WORKSPACE_SPI(List.of("io.kairo.api.tenant", "io.kairo.api.workspace"), libraries()),

	HOST_SUPPORT(List.of("io.kairo.host.."), libraries()),

	LINUX_NATIVE(List.of("io.kairo.linux"), libraries()),

	WORKSPACE_TCK(List.of("io.kairo.api.attack", "io.kairo.api.workspace.tck"),
			libraries("org.junit.jupiter.api..", "org.junit.jupiter.params..", "org.assertj.core.."), WORKSPACE_SPI),

	SANDBOX_SPI(List.of("io.kairo.api.sandbox"), libraries("reactor..", "org.reactivestreams.."), WORKSPACE_SPI),

	SANDBOX_TCK(List.of("io.kairo.api.sandbox.tck.."),
			libraries("reactor..", "org.reactivestreams..", "org.junit.jupiter..", "org.assertj..", "org.awaitility.."),
			SANDBOX_SPI, WORKSPACE_SPI, WORKSPACE_TCK),

	WORKSPACE_LOCAL(List.of("io.kairo.workspace.local..", "io.kairo.workspace.checkpoint..",
			"io.kairo.workspace.memory..", "io.kairo.workspace.quota..", "io.kairo.workspace.routing..",
			"io.kairo.workspace.task..", "io.kairo.workspace.ephemeral.."), libraries(), LINUX_NATIVE, HOST_SUPPORT,
			WORKSPACE_SPI),

	WORKSPACE_SEARCH(List.of("io.kairo.workspace.search.."), libraries("com.google.re2j.."), WORKSPACE_SPI),

	SANDBOX_SUPPORT(List.of("io.kairo.sandbox.support..", "io.kairo.sandbox.backend.."),
			libraries("reactor..", "org.reactivestreams..", "javax.net.ssl.."), SANDBOX_SPI, LINUX_NATIVE, HOST_SUPPORT,
			WORKSPACE_SPI),

	SANDBOX_LOCAL(List.of("io.kairo.sandbox.process..", "io.kairo.sandbox.bubblewrap..", "io.kairo.sandbox.landlock.."),
			libraries("reactor..", "org.reactivestreams.."), SANDBOX_SUPPORT, SANDBOX_SPI, LINUX_NATIVE, HOST_SUPPORT,
			WORKSPACE_SPI),

	AGENT_TOOLS(List.of("io.kairo.tools.."),
			libraries("reactor..", "org.reactivestreams..", "tools.jackson..", "com.fasterxml.jackson.annotation..",
					"com.fasterxml.classmate..", "com.github.victools..", "com.github.difflib..",
					"org.mozilla.universalchardet.."),
			WORKSPACE_SEARCH, WORKSPACE_LOCAL, SANDBOX_LOCAL, SANDBOX_SUPPORT, SANDBOX_SPI, HOST_SUPPORT,
			WORKSPACE_SPI),

	AGENT_GOVERNANCE(
			List.of("io.kairo.governance.audit..", "io.kairo.governance.policy..", "io.kairo.governance.ledger.."),
			libraries("reactor..", "org.reactivestreams..", "tools.jackson..", "com.fasterxml.jackson.annotation..",
					"com.google.re2j..", "org.slf4j..", "javax.crypto.."),
			AGENT_TOOLS, SANDBOX_SPI, HOST_SUPPORT, WORKSPACE_SPI),

	AGENT_GOVERNANCE_JDBC(List.of("io.kairo.governance.jdbc.."), libraries("javax.sql..", "org.springframework.."),
			AGENT_GOVERNANCE),

	SPRING_BOOT_SUPPORT(List.of("io.kairo.boot"), libraries(".."), SANDBOX_SPI, HOST_SUPPORT, WORKSPACE_SPI),

	WORKSPACE_GIT(List.of("io.kairo.workspace.git.."), libraries("org.eclipse.jgit..", "org.springframework.."),
			WORKSPACE_LOCAL, SPRING_BOOT_SUPPORT, HOST_SUPPORT, WORKSPACE_SPI),

	WORKSPACE_S3(List.of("io.kairo.workspace.s3.."), libraries("software.amazon.awssdk..", "org.springframework.."),
			WORKSPACE_LOCAL, SPRING_BOOT_SUPPORT, HOST_SUPPORT, WORKSPACE_SPI),

	SANDBOX_DOCKER(List.of("io.kairo.sandbox.docker.."),
			libraries("com.github.dockerjava..", "org.apache.commons.compress..", "reactor..", "org.reactivestreams..",
					"org.springframework.."),
			SANDBOX_SUPPORT, SPRING_BOOT_SUPPORT, SANDBOX_SPI, HOST_SUPPORT, WORKSPACE_SPI),

	SANDBOX_MICROVM(List.of("io.kairo.sandbox.microvm.."),
			libraries("reactor..", "org.reactivestreams..", "org.springframework.."), SANDBOX_SUPPORT,
			SPRING_BOOT_SUPPORT, SANDBOX_SPI, HOST_SUPPORT, WORKSPACE_SPI),

	SANDBOX_REMOTE(List.of("io.kairo.sandbox.remote.."),
			libraries("io.netty..", "reactor..", "org.reactivestreams..", "tools.jackson..", "javax.net.ssl..",
					"javax.naming..", "org.springframework..", "org.apache.commons.logging..", "io.micrometer.."),
			SANDBOX_SUPPORT, SPRING_BOOT_SUPPORT, SANDBOX_SPI, HOST_SUPPORT, WORKSPACE_SPI),

	MCP(List.of("io.kairo.mcp"), libraries(".."), AGENT_GOVERNANCE, AGENT_TOOLS, SPRING_BOOT_SUPPORT, SANDBOX_SPI,
			WORKSPACE_SPI),

	AUTOCONFIGURE(List.of("io.kairo.autoconfigure.."), libraries(".."), AGENT_GOVERNANCE_JDBC, AGENT_GOVERNANCE,
			AGENT_TOOLS, WORKSPACE_SEARCH, WORKSPACE_LOCAL, SANDBOX_LOCAL, SANDBOX_SUPPORT, SPRING_BOOT_SUPPORT,
			SANDBOX_SPI, HOST_SUPPORT, WORKSPACE_SPI),

	TEST(List.of("io.kairo.test.."), libraries(".."), AUTOCONFIGURE, AGENT_TOOLS, WORKSPACE_LOCAL, SANDBOX_SPI,
			HOST_SUPPORT, WORKSPACE_SPI);

	private final List<String> packages;

	private final List<String> libraries;

	private final List<HouseModule> uses;

	HouseModule(List<String> packages, List<String> libraries, HouseModule... uses) {
		this.packages = packages;
		this.libraries = libraries;
		this.uses = List.of(uses);
	}

	private static List<String> libraries(String... packages) {
		return List.of(packages);
	}

	/**
	 * Returns the packages of every module.
	 */
	static String[] allPackages() {
		return array(Arrays.stream(values()).flatMap((module) -> module.packages.stream()));
	}

	String[] packages() {
		return array(this.packages.stream());
	}

	/**
	 * Returns the packages of this project that the module may use.
	 */
	String[] projectPackages() {
		return array(Stream.concat(Stream.of(this), this.uses.stream()).flatMap((module) -> module.packages.stream()));
	}

	/**
	 * Returns the packages of libraries and of the JDK that the module may use.
	 */
	String[] externalPackages() {
		return array(Stream.concat(Stream.of("java..", "org.jspecify.annotations.."), this.libraries.stream()));
	}

	private static String[] array(Stream<String> packages) {
		return packages.toArray(String[]::new);
	}

}

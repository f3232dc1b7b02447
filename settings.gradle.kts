pluginManagement {
	repositories {
		mavenCentral()
	}
}

dependencyResolutionManagement {
	repositories {
		mavenCentral()
	}
}

rootProject.name = "kairo"

fun module(artifact: String, directory: String) {
	include(artifact)
	project(":$artifact").projectDir = file(directory)
}

module("kairo-bom", "kairo-bom")
module("kairo-workspace-spi", "workspace-spi")
module("kairo-host-support", "host/support")
module("kairo-linux-native", "host/linux-native")
module("kairo-workspace-tck", "workspaces/tck")
module("kairo-sandbox-spi", "sandbox-spi")
module("kairo-sandbox-tck", "sandboxes/tck")
module("kairo-spring-boot-support", "kairo-spring-boot-support")
module("kairo-workspace-local", "workspaces/local")
module("kairo-workspace-git", "workspaces/git")
module("kairo-workspace-s3", "workspaces/s3")
module("kairo-workspace-search", "workspaces/search")
module("kairo-sandbox-support", "sandboxes/support")
module("kairo-sandbox-local", "sandboxes/local")
module("kairo-sandbox-docker", "sandboxes/docker")
module("kairo-sandbox-microvm", "sandboxes/microvm")
module("kairo-sandbox-remote", "sandboxes/remote")
module("kairo-agent-tools", "agent-tools")
module("kairo-agent-governance", "agent-governance")
module("kairo-agent-governance-jdbc", "agent-governance-jdbc")
module("kairo-mcp", "kairo-mcp")
module("kairo-spring-boot-autoconfigure", "kairo-spring-boot-autoconfigure")
module("kairo-spring-boot-starter", "kairo-spring-boot-starter")
module("kairo-test", "kairo-test")
module("kairo-sample-app", "sample-app")
module("kairo-benchmarks", "tests/benchmarks")
module("kairo-fuzz-tests", "tests/fuzz")
module("kairo-architecture-tests", "tests/architecture")

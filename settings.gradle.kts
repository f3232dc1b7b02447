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

include("kairo-bom")
include("workspace-spi")
include("host-support")
include("linux-native")
include("workspace-tck")
include("sandbox-spi")
include("sandbox-tck")
include("workspace-local")
include("workspace-git")
include("workspace-s3")
include("workspace-search")
include("sandbox-support")
include("sandbox-local")
include("sandbox-docker")
include("sandbox-microvm")
include("sandbox-remote")
include("agent-tools")
include("agent-governance")
include("kairo-spring-boot-autoconfigure")
include("kairo-spring-boot-starter")
include("kairo-test")
include("sample-app")
include("benchmarks")
include("fuzz-tests")
include("architecture-tests")

// A project has the name of its artifact: ":kairo-workspace-spi" is the directory workspace-spi.
rootProject.children.filterNot { it.name.startsWith("kairo-") }.forEach { it.name = "kairo-${it.name}" }

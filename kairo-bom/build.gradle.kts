plugins {
	`java-platform`
	`maven-publish`
}

dependencies {
	constraints {
		api(project(":kairo-workspace-spi"))
		api(project(":kairo-host-support"))
		api(project(":kairo-linux-native"))
		api(project(":kairo-workspace-tck"))
		api(project(":kairo-sandbox-spi"))
		api(project(":kairo-sandbox-tck"))
		api(project(":kairo-spring-boot-support"))
		api(project(":kairo-workspace-local"))
		api(project(":kairo-workspace-git"))
		api(project(":kairo-workspace-s3"))
		api(project(":kairo-workspace-search"))
		api(project(":kairo-sandbox-support"))
		api(project(":kairo-sandbox-local"))
		api(project(":kairo-sandbox-docker"))
		api(project(":kairo-sandbox-microvm"))
		api(project(":kairo-sandbox-remote"))
		api(project(":kairo-agent-tools"))
		api(project(":kairo-agent-governance"))
		api(project(":kairo-agent-governance-jdbc"))
		api(project(":kairo-mcp"))
		api(project(":kairo-spring-boot-autoconfigure"))
		api(project(":kairo-spring-boot-starter"))
		api(project(":kairo-test"))
	}
}

publishing {
	publications.create<MavenPublication>("maven") {
		from(components["javaPlatform"])
	}
}

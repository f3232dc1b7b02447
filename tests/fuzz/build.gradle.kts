plugins {
	`java-library`
}

dependencies {
	testImplementation(project(":kairo-agent-tools"))
	testImplementation(project(":kairo-host-support"))
	testImplementation(project(":kairo-mcp"))
	testImplementation(project(":kairo-sandbox-docker"))
	testImplementation(project(":kairo-sandbox-microvm"))
	testImplementation(project(":kairo-sandbox-remote"))
	testImplementation(project(":kairo-sandbox-support"))
	testImplementation(project(":kairo-workspace-git"))
	testImplementation(project(":kairo-workspace-local"))
	testImplementation(project(":kairo-workspace-spi"))
	testImplementation(libs.jazzer.junit)
	testImplementation("org.assertj:assertj-core")
}

// As the property kairo.fuzz of Maven.
tasks.named<Test>("test") {
	workingDir = layout.buildDirectory.get().asFile
	val fuzz = providers.systemProperty("kairo.fuzz").getOrElse("false")
	environment("JAZZER_FUZZ", fuzz)
	systemProperty("jazzer.hooks", fuzz)
}

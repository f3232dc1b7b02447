plugins {
	`java-library`
}

dependencies {
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation(project(":kairo-agent-tools"))
	testImplementation(project(":kairo-spring-boot-autoconfigure"))
	testImplementation(project(":kairo-spring-boot-starter"))
	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(libs.archunit.junit5)
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("tools.jackson.dataformat:jackson-dataformat-toml")
}

// The tests read the whole repository, which Gradle cannot know.
tasks.named<Test>("test") {
	outputs.upToDateWhen { false }
}

plugins {
	`java-library`
}

dependencies {
	testImplementation(project(":kairo-agent-tools"))
	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(project(":kairo-spring-boot-autoconfigure"))
	testImplementation(project(":kairo-spring-boot-starter"))
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation(libs.archunit)
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("tools.jackson.core:jackson-core")
	testImplementation("tools.jackson.dataformat:jackson-dataformat-toml")
}

// The tests read the whole repository, which Gradle cannot know.
tasks.named<Test>("test") {
	outputs.upToDateWhen { false }
}

plugins {
	`java-library`
}

dependencies {
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation(project(":kairo-agent-tools"))
	testImplementation(project(":kairo-spring-boot-autoconfigure"))
	testImplementation(project(":kairo-spring-boot-starter"))
	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(project(":kairo-workspace-git"))
	testImplementation(libs.archunit.junit5)
	testImplementation("jakarta.servlet:jakarta.servlet-api")
	testImplementation("org.springframework.ai:spring-ai-client-chat")
	testImplementation("org.springframework.boot:spring-boot-starter-test")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("tools.jackson.dataformat:jackson-dataformat-toml")
}

// The tests read the whole repository, which Gradle cannot know.
tasks.named<Test>("test") {
	outputs.upToDateWhen { false }
}

plugins {
	`java-library`
}

dependencies {
	testImplementation(project(":kairo-agent-governance"))
	testImplementation(project(":kairo-agent-governance-jdbc"))
	testImplementation(project(":kairo-agent-tools"))
	testImplementation(project(":kairo-mcp"))
	testImplementation(project(":kairo-sandbox-docker"))
	testImplementation(project(":kairo-sandbox-microvm"))
	testImplementation(project(":kairo-sandbox-remote"))
	testImplementation(project(":kairo-sandbox-spi"))
	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(project(":kairo-spring-boot-autoconfigure"))
	testImplementation(project(":kairo-spring-boot-starter"))
	testImplementation(project(":kairo-test"))
	testImplementation(project(":kairo-workspace-git"))
	testImplementation(project(":kairo-workspace-s3"))
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation(libs.archunit)
	testImplementation(libs.langchain4j.services)
	testImplementation("jakarta.servlet:jakarta.servlet-api")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("org.jspecify:jspecify")
	testImplementation("org.springframework:spring-context")
	testImplementation("org.springframework:spring-core")
	testImplementation("org.springframework:spring-test")
	testImplementation("org.springframework.ai:spring-ai-autoconfigure-model-chat-client")
	testImplementation("org.springframework.ai:spring-ai-client-chat")
	testImplementation("org.springframework.boot:spring-boot")
	testImplementation("org.springframework.boot:spring-boot-autoconfigure")
	testImplementation("org.springframework.boot:spring-boot-starter-actuator")
	testImplementation("org.springframework.boot:spring-boot-starter-webmvc")
	testImplementation("org.springframework.boot:spring-boot-test")
	testImplementation("tools.jackson.core:jackson-core")
	testImplementation("tools.jackson.core:jackson-databind")
	testImplementation("tools.jackson.dataformat:jackson-dataformat-toml")
}

// The tests read the whole repository, which Gradle cannot know.
tasks.named<Test>("test") {
	outputs.upToDateWhen { false }
}

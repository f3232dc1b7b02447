plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-agent-tools"))
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-workspace-local"))
	api(project(":kairo-workspace-spi"))
	api("io.projectreactor:reactor-core")
	api("org.assertj:assertj-core")
	api("org.jspecify:jspecify")
	implementation(project(":kairo-host-support"))

	compileOnly(project(":kairo-spring-boot-autoconfigure"))
	compileOnly("org.springframework.ai:spring-ai-commons")
	compileOnly("org.springframework.ai:spring-ai-model")
	compileOnly("org.springframework.boot:spring-boot")
	compileOnly("org.springframework.boot:spring-boot-autoconfigure")
	compileOnly("org.springframework:spring-beans")
	compileOnly("org.springframework:spring-context")
	compileOnly("org.springframework:spring-core")
	compileOnly("org.springframework:spring-test")

	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("org.springframework.ai:spring-ai-client-chat")
	testImplementation("org.springframework.boot:spring-boot-test")
	testImplementation("org.springframework.boot:spring-boot-test-autoconfigure")
}

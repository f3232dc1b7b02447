plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-workspace-spi"))
	api("org.springframework.boot:spring-boot-autoconfigure")

	compileOnly(project(":kairo-agent-tools"))
	compileOnly(project(":kairo-sandbox-local"))
	compileOnly(project(":kairo-workspace-git"))
	compileOnly(project(":kairo-workspace-local"))
	compileOnly("io.micrometer:context-propagation")
	compileOnly("io.micrometer:micrometer-core")
	compileOnly("io.micrometer:micrometer-observation")
	compileOnly("jakarta.servlet:jakarta.servlet-api")
	compileOnly("org.springframework:spring-webmvc")
	compileOnly("org.springframework.ai:spring-ai-mcp")
	compileOnly("org.springframework.ai:spring-ai-model")
	compileOnly("org.springframework.boot:spring-boot-actuator-autoconfigure")
	compileOnly("org.springframework.boot:spring-boot-health")
	compileOnly("org.springframework.security:spring-security-core")

	annotationProcessor(libs.spring.boot.configuration.processor)

	testImplementation("org.springframework.ai:spring-ai-client-chat")
	testImplementation("org.springframework.ai:spring-ai-starter-mcp-server-webmvc")
	testImplementation("org.springframework.boot:spring-boot-micrometer-metrics")
	testImplementation("org.springframework.boot:spring-boot-micrometer-observation")
	testImplementation("org.springframework.boot:spring-boot-starter-actuator")
	testImplementation("org.springframework.boot:spring-boot-starter-test")
}

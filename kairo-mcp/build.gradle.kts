plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-agent-tools"))
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-spring-boot-support"))
	api(project(":kairo-workspace-spi"))
	api(libs.mcp.core)
	api("org.jspecify:jspecify")
	api("org.springframework.boot:spring-boot")
	api("org.springframework.boot:spring-boot-autoconfigure")
	api("org.springframework:spring-context")
	implementation("commons-logging:commons-logging")
	implementation("io.micrometer:context-propagation")
	implementation("io.projectreactor:reactor-core")
	implementation("org.reactivestreams:reactive-streams")
	implementation("org.springframework:spring-beans")
	implementation("org.springframework:spring-core")
	implementation("tools.jackson.core:jackson-core")
	implementation("tools.jackson.core:jackson-databind")
	runtimeOnly(libs.mcp.json)

	compileOnly(project(":kairo-agent-governance"))
	compileOnly("io.projectreactor.netty:reactor-netty-http")
	compileOnly("jakarta.servlet:jakarta.servlet-api")
	compileOnly("org.springframework.ai:spring-ai-mcp")
	compileOnly("org.springframework:spring-web")
	compileOnly("org.springframework:spring-webflux")
	compileOnly("org.springframework:spring-webmvc")

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

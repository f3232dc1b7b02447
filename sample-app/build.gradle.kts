import org.springframework.boot.gradle.tasks.run.BootRun

plugins {
	`java-library`
	id("org.springframework.boot")
}

dependencies {
	implementation(project(":kairo-spring-boot-starter"))
	implementation("org.springframework.ai:spring-ai-starter-mcp-server-webmvc")
	implementation("org.springframework.boot:spring-boot-starter-actuator")
	implementation("org.springframework.boot:spring-boot-starter-webmvc")
	runtimeOnly("io.micrometer:micrometer-registry-prometheus")

	testImplementation("org.springframework.boot:spring-boot-starter-test")
}

// The executable jar is the only one.
tasks.named<Jar>("jar") {
	enabled = false
}

tasks.named<BootRun>("bootRun") {
	workingDir = rootDir
}

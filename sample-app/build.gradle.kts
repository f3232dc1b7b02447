import org.springframework.boot.gradle.tasks.bundling.BootJar
import org.springframework.boot.gradle.tasks.run.BootRun

plugins {
	`java-library`
	id("org.springframework.boot")
}

dependencies {
	implementation(project(":kairo-mcp"))
	implementation(project(":kairo-spring-boot-starter"))
	implementation("org.springframework.boot:spring-boot-starter-actuator")
	implementation("org.springframework.boot:spring-boot-starter-jdbc")
	implementation("org.springframework.boot:spring-boot-starter-webmvc")
	runtimeOnly(project(":kairo-agent-governance-jdbc"))
	runtimeOnly("com.h2database:h2")
	runtimeOnly("io.micrometer:micrometer-registry-prometheus")

	testImplementation("org.springframework.boot:spring-boot-starter-test")
}

// The executable jar is the only one.
tasks.named<Jar>("jar") {
	enabled = false
}

tasks.named<BootJar>("bootJar") {
	manifest {
		attributes("Enable-Native-Access" to "ALL-UNNAMED")
	}
}

tasks.named<BootRun>("bootRun") {
	workingDir = rootDir
	jvmArgs("--enable-native-access=ALL-UNNAMED")
}

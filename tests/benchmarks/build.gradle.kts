plugins {
	`java-library`
	application
}

dependencies {
	implementation(project(":kairo-agent-governance"))
	implementation(project(":kairo-agent-tools"))
	implementation(project(":kairo-host-support"))
	implementation(project(":kairo-linux-native"))
	implementation(project(":kairo-sandbox-docker"))
	implementation(project(":kairo-sandbox-microvm"))
	implementation(project(":kairo-sandbox-local"))
	implementation(project(":kairo-sandbox-remote"))
	implementation(project(":kairo-sandbox-spi"))
	implementation(project(":kairo-sandbox-support"))
	implementation(project(":kairo-workspace-git"))
	implementation(project(":kairo-workspace-local"))
	implementation(project(":kairo-workspace-s3"))
	implementation(project(":kairo-workspace-search"))
	implementation(project(":kairo-workspace-spi"))
	implementation("io.projectreactor:reactor-core")
	implementation(libs.mcp.core)
	implementation("jakarta.servlet:jakarta.servlet-api")
	implementation("org.jspecify:jspecify")
	implementation("org.springframework:spring-context")
	implementation("org.springframework:spring-core")
	implementation("org.springframework.boot:spring-boot")
	implementation("org.springframework.boot:spring-boot-autoconfigure")
	implementation(libs.aws.auth)
	implementation(libs.aws.core)
	implementation(libs.aws.http.client.spi)
	implementation(libs.aws.regions)
	implementation(libs.aws.s3)
	implementation(libs.aws.sdk.core)
	implementation(libs.aws.url.connection.client)
	implementation("tools.jackson.core:jackson-core")
	implementation("tools.jackson.core:jackson-databind")
	runtimeOnly(project(":kairo-mcp"))
	runtimeOnly(project(":kairo-spring-boot-starter"))
	runtimeOnly("org.springframework.boot:spring-boot-starter-actuator")
	runtimeOnly("org.springframework.boot:spring-boot-starter-webmvc")

	testImplementation(libs.jtokkit)
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

application {
	mainClass.set("io.kairo.benchmarks.Benchmarks")
	applicationDefaultJvmArgs = listOf("--enable-native-access=ALL-UNNAMED")
}

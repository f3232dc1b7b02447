plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-host-support"))
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-sandbox-support"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	implementation("io.netty:netty-buffer")
	implementation("io.netty:netty-codec-http")
	implementation("io.netty:netty-common")
	implementation("io.netty:netty-handler")
	implementation("io.netty:netty-transport")
	implementation("io.projectreactor:reactor-core")
	implementation("io.projectreactor.netty:reactor-netty-core")
	implementation("io.projectreactor.netty:reactor-netty-http")
	implementation("tools.jackson.core:jackson-core")
	implementation("tools.jackson.core:jackson-databind")

	compileOnly(project(":kairo-spring-boot-support"))
	compileOnly("commons-logging:commons-logging")
	compileOnly("io.micrometer:micrometer-core")
	compileOnly("org.springframework.boot:spring-boot")
	compileOnly("org.springframework.boot:spring-boot-autoconfigure")
	compileOnly("org.springframework:spring-beans")
	compileOnly("org.springframework:spring-context")
	compileOnly("org.springframework:spring-core")

	testImplementation(project(":kairo-sandbox-local"))
	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("org.slf4j:slf4j-nop")
	testImplementation("org.yaml:snakeyaml")
}

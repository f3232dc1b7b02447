plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-host-support"))
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-sandbox-support"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")

	compileOnly(project(":kairo-spring-boot-support"))
	compileOnly("org.springframework.boot:spring-boot")
	compileOnly("org.springframework.boot:spring-boot-autoconfigure")
	compileOnly("org.springframework:spring-beans")
	compileOnly("org.springframework:spring-context")
	compileOnly("org.springframework:spring-core")

	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("io.projectreactor:reactor-core")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("org.slf4j:slf4j-nop")
}

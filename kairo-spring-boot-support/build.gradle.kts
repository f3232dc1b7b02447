plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-host-support"))
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	api("org.springframework.boot:spring-boot")
	api("org.springframework.boot:spring-boot-autoconfigure")
	api("org.springframework:spring-context")
	api("org.springframework:spring-core")
	implementation("commons-logging:commons-logging")

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-agent-governance"))
	api("org.jspecify:jspecify")
	api("org.springframework:spring-jdbc")
	implementation("org.springframework:spring-core")
	implementation("org.springframework:spring-tx")

	testImplementation(project(":kairo-agent-tools"))
	testImplementation(project(":kairo-sandbox-spi"))
	testImplementation(project(":kairo-workspace-local"))
	testImplementation(project(":kairo-workspace-spi"))
	testImplementation("com.h2database:h2")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("org.postgresql:postgresql")
}

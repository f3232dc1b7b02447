plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-agent-tools"))
	api("org.jspecify:jspecify")
	implementation(project(":kairo-host-support"))
	implementation(project(":kairo-sandbox-spi"))
	implementation(project(":kairo-workspace-spi"))
	implementation(libs.re2j)
	implementation("com.fasterxml.jackson.core:jackson-annotations")
	implementation("io.projectreactor:reactor-core")
	implementation("org.slf4j:slf4j-api")
	implementation("tools.jackson.core:jackson-core")
	implementation("tools.jackson.core:jackson-databind")

	testImplementation(project(":kairo-sandbox-local"))
	testImplementation(project(":kairo-workspace-local"))
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

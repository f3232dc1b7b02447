plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-sandbox-support"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	implementation("io.projectreactor:reactor-core")

	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.test {
	maxParallelForks = 4
}

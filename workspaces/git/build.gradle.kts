plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-local"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	api(project(":kairo-host-support"))
	implementation(libs.jgit)

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.test {
	maxParallelForks = 1 // tests run in parallel in it and share the template of their repositories
}

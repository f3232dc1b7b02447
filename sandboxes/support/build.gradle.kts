plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-host-support"))
	api(project(":kairo-linux-native"))
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-workspace-spi"))
	api("io.projectreactor:reactor-core")
	api("org.jspecify:jspecify")

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("io.projectreactor:reactor-test")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

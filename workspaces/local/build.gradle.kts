plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	api(project(":kairo-host-support"))
	implementation(project(":kairo-linux-native"))

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

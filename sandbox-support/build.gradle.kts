plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-host-support"))
	api(project(":kairo-sandbox-spi"))

	testImplementation("io.projectreactor:reactor-test")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-support"))
	implementation(project(":kairo-host-support"))

	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation("io.projectreactor:reactor-test")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

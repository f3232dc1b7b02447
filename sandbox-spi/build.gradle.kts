plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-spi"))
	api("io.projectreactor:reactor-core")
	api("org.jspecify:jspecify")

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

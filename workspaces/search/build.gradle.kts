plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	implementation(libs.re2j)

	testImplementation(project(":kairo-workspace-local"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

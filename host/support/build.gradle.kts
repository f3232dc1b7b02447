plugins {
	`java-library`
}

dependencies {
	api("org.jspecify:jspecify")

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

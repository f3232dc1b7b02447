plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-spi"))
	api("org.assertj:assertj-core")
	api("org.jspecify:jspecify")
	api("org.junit.jupiter:junit-jupiter")
}

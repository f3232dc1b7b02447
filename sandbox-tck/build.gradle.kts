plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-workspace-tck"))
	api("org.assertj:assertj-core")
	api("org.awaitility:awaitility")
	api("org.junit.jupiter:junit-jupiter")
}

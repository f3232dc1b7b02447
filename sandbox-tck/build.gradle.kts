plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-spi"))
	api("org.assertj:assertj-core")
	api("org.awaitility:awaitility")
	api("org.junit.jupiter:junit-jupiter")
}

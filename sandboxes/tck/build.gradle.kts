plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-workspace-spi"))
	api(project(":kairo-workspace-tck"))
	api("io.projectreactor:reactor-core")
	api("org.assertj:assertj-core")
	api("org.awaitility:awaitility")
	api("org.jspecify:jspecify")
	api("org.junit.jupiter:junit-jupiter")
}

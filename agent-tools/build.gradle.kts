plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-local"))
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-sandbox-support"))
	api(project(":kairo-workspace-local"))
	api(project(":kairo-workspace-search"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	api("tools.jackson.core:jackson-databind")
	implementation(project(":kairo-host-support"))
	implementation(libs.java.diff.utils)
	implementation(libs.jsonschema.generator)
	implementation(libs.jsonschema.module.jackson)
	implementation(libs.juniversalchardet)
	implementation("com.fasterxml.jackson.core:jackson-annotations")
	implementation("io.projectreactor:reactor-core")
	implementation("tools.jackson.core:jackson-core")

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation(libs.agent.utils)
	testImplementation(libs.jgit)
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

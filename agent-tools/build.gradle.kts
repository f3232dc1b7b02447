plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-local"))
	api(project(":kairo-workspace-local"))
	api(project(":kairo-workspace-search"))
	api("tools.jackson.core:jackson-databind")
	implementation(project(":kairo-host-support"))
	implementation(libs.java.diff.utils)
	implementation(libs.jsonschema.generator)
	implementation(libs.jsonschema.module.jackson)
	implementation(libs.juniversalchardet)

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

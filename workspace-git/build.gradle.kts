plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-local"))
	implementation(project(":kairo-host-support"))
	implementation(libs.jgit)

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

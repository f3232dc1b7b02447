plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-local"))
	implementation(libs.jgit)

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.test {
	jvmArgs("-XX:TieredStopAtLevel=1") // short-lived test code: optimizing it costs more than it saves
}

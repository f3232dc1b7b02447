plugins {
	`java-library`
	application
}

dependencies {
	implementation(project(":kairo-agent-tools"))
	implementation(project(":kairo-workspace-git"))

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

application {
	mainClass.set("io.kairo.benchmarks.Benchmarks")
}

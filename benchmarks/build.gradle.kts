plugins {
	`java-library`
	application
}

dependencies {
	implementation(project(":kairo-agent-tools"))
	implementation(project(":kairo-sandbox-local"))
	implementation(project(":kairo-sandbox-spi"))
	implementation(project(":kairo-sandbox-support"))
	implementation(project(":kairo-workspace-git"))
	implementation(project(":kairo-workspace-local"))
	implementation(project(":kairo-workspace-spi"))
	implementation("io.projectreactor:reactor-core")
	implementation("org.jspecify:jspecify")

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

application {
	mainClass.set("io.kairo.benchmarks.Benchmarks")
}

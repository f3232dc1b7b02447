plugins {
	`java-library`
	application
}

dependencies {
	implementation(project(":kairo-agent-tools"))
	implementation(project(":kairo-host-support"))
	implementation(project(":kairo-sandbox-docker"))
	implementation(project(":kairo-sandbox-local"))
	implementation(project(":kairo-sandbox-spi"))
	implementation(project(":kairo-sandbox-support"))
	implementation(project(":kairo-workspace-git"))
	implementation(project(":kairo-workspace-local"))
	implementation(project(":kairo-workspace-spi"))
	implementation("io.projectreactor:reactor-core")
	implementation("org.jspecify:jspecify")

	testImplementation(libs.jtokkit)
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("tools.jackson.core:jackson-core")
	testImplementation("tools.jackson.core:jackson-databind")
}

application {
	mainClass.set("io.kairo.benchmarks.Benchmarks")
}

plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-sandbox-spi"))
	api(project(":kairo-sandbox-support"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	implementation("io.projectreactor:reactor-core")
	implementation(project(":kairo-host-support"))
	implementation(project(":kairo-linux-native"))

	testImplementation(project(":kairo-sandbox-tck"))
	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("org.junit.platform:junit-platform-engine")
	testImplementation("org.junit.platform:junit-platform-launcher")
}

// Tests that look at all processes of the host, or at control groups that sandboxes of other JVMs would sweep.
val aloneTest by tasks.registering(Test::class) {
	testClassesDirs = sourceSets.test.get().output.classesDirs
	classpath = sourceSets.test.get().runtimeClasspath
	maxParallelForks = 1
	useJUnitPlatform {
		includeTags("alone")
	}
}

tasks.test {
	maxParallelForks = 4
	useJUnitPlatform {
		excludeTags("alone")
	}
	mustRunAfter(aloneTest)
}

tasks.check {
	dependsOn(aloneTest)
}

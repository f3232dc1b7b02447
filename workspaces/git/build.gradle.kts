plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-workspace-local"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	api(project(":kairo-host-support"))
	implementation(libs.jgit)

	compileOnly(project(":kairo-spring-boot-support"))
	compileOnly("com.fasterxml.jackson.core:jackson-annotations")
	compileOnly("org.springframework.boot:spring-boot")
	compileOnly("org.springframework.boot:spring-boot-autoconfigure")
	compileOnly("org.springframework.boot:spring-boot-health")
	compileOnly("org.springframework:spring-beans")
	compileOnly("org.springframework:spring-context")
	compileOnly("org.springframework:spring-core")

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.test {
	maxParallelForks = 1 // tests run in parallel in it and share the template of their repositories
}

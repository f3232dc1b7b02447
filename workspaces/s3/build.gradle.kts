plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-host-support"))
	api(project(":kairo-workspace-local"))
	api(project(":kairo-workspace-spi"))
	api("org.jspecify:jspecify")
	api(libs.aws.auth)
	implementation(libs.aws.core)
	implementation(libs.aws.http.client.spi)
	implementation(libs.aws.regions)
	implementation(libs.aws.s3)
	implementation(libs.aws.sdk.core)
	implementation(libs.aws.url.connection.client)

	compileOnly(project(":kairo-spring-boot-support"))
	compileOnly("com.fasterxml.jackson.core:jackson-annotations")
	compileOnly("org.springframework.boot:spring-boot")
	compileOnly("org.springframework.boot:spring-boot-autoconfigure")
	compileOnly("org.springframework.boot:spring-boot-health")
	compileOnly("org.springframework:spring-beans")
	compileOnly("org.springframework:spring-context")
	compileOnly("org.springframework:spring-core")

	testImplementation(project(":kairo-workspace-tck"))
	testImplementation(libs.docker.java.api)
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation(libs.s3proxy)
	testImplementation("org.testcontainers:testcontainers")
}

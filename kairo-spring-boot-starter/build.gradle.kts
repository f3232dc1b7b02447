plugins {
	`java-library`
}

dependencies {
	api(project(":kairo-agent-governance"))
	api(project(":kairo-agent-tools"))
	api(project(":kairo-spring-boot-autoconfigure"))
	api("org.springframework.boot:spring-boot-starter")
}

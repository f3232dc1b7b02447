plugins {
	`java-library`
}

dependencies {
	api("org.jspecify:jspecify")

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.jar {
	manifest {
		// "native" is a keyword
		attributes("Multi-Release" to "true", "Automatic-Module-Name" to "io.kairo.linux")
	}
}

// The calls themselves need java.lang.foreign: a jar that is built on an older JDK has none.
if (JavaVersion.current() >= JavaVersion.VERSION_22) {
	val java22 by sourceSets.creating {
		java.setSrcDirs(listOf("src/main/java22"))
		compileClasspath += sourceSets.main.get().output + configurations.compileClasspath.get()
	}
	tasks.named<JavaCompile>(java22.compileJavaTaskName) {
		options.release.set(22)
		options.compilerArgs.addAll(listOf("-Xlint:all,-processing,-serial,-options,-try", "-Werror"))
	}
	tasks.jar {
		from(java22.output) {
			into("META-INF/versions/22")
		}
	}
	tasks.test {
		classpath += java22.output
	}
}

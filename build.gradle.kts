buildscript {
	repositories {
		mavenCentral()
	}
	dependencies {
		classpath(libs.spring.boot.gradle.plugin)
		classpath(libs.spring.javaformat.gradle.plugin)
	}
}

// Inside configure { } the name "libs" means an extension that the subproject does not have yet.
val catalog = libs

// Nobody depends on these: no sources and no Javadoc are packed.
val unpublished = setOf("kairo-sample-app", "kairo-benchmarks", "kairo-fuzz-tests", "kairo-architecture-tests")

// What the compiler checks main code for; the same arguments as in pom.xml.
val checks = listOf(
	"-XDcompilePolicy=simple",
	"--should-stop=ifError=FLOW",
	"-XDaddTypeAnnotationsToSymbol=true",
	"-Xplugin:ErrorProne -XepDisableAllChecks -XepExcludedPaths:.*/generated-sources/.* -Xep:NullAway:ERROR -Xep:ArrayRecordComponent:OFF -XepOpt:NullAway:OnlyNullMarked=true -XepOpt:NullAway:JSpecifyMode=true",
	"-Xlint:all,-processing,-serial,-options,-try",
	"-Xdoclint:all/protected,-missing",
	"-Xdoclint/package:-io.kairo.sample",
	"-Werror",
)

// Error Prone needs access to the compiler, which runs in a process of its own here, with the same options as Maven's JVM.
val compilerDoors = file(".mvn/jvm.config").readText().trim().split(Regex("\\s+"))

allprojects {
	group = "io.kairo"
	version = "0.1.0-SNAPSHOT"
}

// A platform has no code.
configure(subprojects.filter { it.name != "kairo-bom" }) {
	apply(plugin = "java-library")
	apply(plugin = "io.spring.javaformat")

	if (project.name !in unpublished) {
		apply(plugin = "maven-publish")
		configure<JavaPluginExtension> {
			withSourcesJar()
			withJavadocJar()
		}
		tasks.named<Jar>("jar") {
			manifest.attributes("Automatic-Module-Name" to "io." + project.name.replace('-', '.'))
		}
		configure<PublishingExtension> {
			publications.create<MavenPublication>("maven") {
				from(components["java"])
				versionMapping {
					usage("java-api") {
						fromResolutionOf("runtimeClasspath")
					}
					usage("java-runtime") {
						fromResolutionResult()
					}
				}
			}
		}
	}

	// The platforms decide versions on every classpath and are not published: as in Maven, consumers get the versions alone.
	val dependencyManagement = configurations.create("dependencyManagement") {
		isCanBeConsumed = false
		isCanBeResolved = false
	}
	configurations.matching { it.name.endsWith("Classpath") }.configureEach {
		extendsFrom(dependencyManagement)
	}

	// As an optional dependency in Maven does, compileOnly reaches the tests.
	configurations.named("testImplementation") {
		extendsFrom(configurations.getByName("compileOnly"))
	}

	dependencies {
		"dependencyManagement"(platform(catalog.spring.boot.dependencies))
		"dependencyManagement"(platform(catalog.spring.ai.bom))
		"annotationProcessor"(catalog.error.prone.core)
		"annotationProcessor"(catalog.nullaway)
		"annotationProcessor"(catalog.spring.boot.autoconfigure.processor)
		"annotationProcessor"(catalog.spring.boot.configuration.processor)
		"testRuntimeOnly"("org.junit.platform:junit-platform-launcher")
	}

	tasks.withType<JavaCompile>().configureEach {
		options.release.set(catalog.versions.java.get().toInt())
		options.encoding = "UTF-8"
		options.compilerArgs.add("-parameters")
	}

	tasks.named<JavaCompile>("compileJava") {
		options.compilerArgs.addAll(checks)
		options.isFork = true
		options.forkOptions.jvmArgumentProviders.add(CommandLineArgumentProvider { compilerDoors })
	}

	tasks.named<JavaCompile>("compileTestJava") {
		options.compilerArgs.add("-proc:none")
	}

	tasks.withType<Javadoc>().configureEach {
		(options as StandardJavadocDocletOptions).apply {
			encoding = "UTF-8"
			addBooleanOption("Xdoclint:all", true)
			addBooleanOption("Werror", true)
			noTimestamp(true)
			quiet()
		}
	}

	tasks.named<ProcessResources>("processResources") {
		from(rootDir) {
			include("LICENSE", "NOTICE")
			into("META-INF")
		}
	}

	tasks.withType<AbstractArchiveTask>().configureEach {
		isPreserveFileTimestamps = false
		isReproducibleFileOrder = true
	}

	tasks.withType<Test>().configureEach {
		useJUnitPlatform()
		maxParallelForks = 2
		// what javac wrote needs no verification, which takes a tenth of the start of a JVM
		jvmArgs("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=256m", "-XX:+UseSerialGC",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
	}
}

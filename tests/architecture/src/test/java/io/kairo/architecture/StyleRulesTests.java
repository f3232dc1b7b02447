package io.kairo.architecture;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

/**
 * Tests for the style of the code.
 */
class StyleRulesTests {

	private static final String AUTO_CONFIGURATION = "org.springframework.boot.autoconfigure.AutoConfiguration";

	private static final String BEAN = "org.springframework.context.annotation.Bean";

	@Nested
	class HostFiles {

		private static final List<Class<?>> OPENERS = List.of(Files.class, File.class, FileInputStream.class,
				FileOutputStream.class, FileReader.class, FileWriter.class, RandomAccessFile.class, FileChannel.class,
				AsynchronousFileChannel.class);

		/** Methods of {@link File} that may be called for a configured directory. */
		private static final Set<String> PROBES = Set.of("canWrite", "exists", "getUsableSpace", "isDirectory");

		@Test
		void hostFilesAreOpenedOnlyByGateAndBackends() {
			KairoClasses.check(onlyOpenFiles("io.kairo.host..", "io.kairo.linux..", "io.kairo.workspace.local..",
					"io.kairo.workspace.checkpoint..", "io.kairo.workspace.ephemeral..", "io.kairo.workspace.task..",
					"io.kairo.workspace.git..", "io.kairo.workspace.s3..", "io.kairo.api.workspace.tck..",
					"io.kairo.api.attack..", "io.kairo.sandbox..", "io.kairo.api.sandbox.tck..",
					"io.kairo.tools.output..", "io.kairo.tools.trash..", "io.kairo.governance.audit..",
					"io.kairo.autoconfigure.."));
		}

		@Test
		void autoConfigurationOnlyProbesHostFiles() {
			KairoClasses.check(noClasses().that()
				.resideInAPackage("io.kairo.autoconfigure..")
				.should(accessTargetWhere(accessesHostFile().and(not(probesHostFile()))))
				.because("start-up and health checks examine configured roots but open no file"));
		}

		static ArchRule onlyOpenFiles(String... packages) {
			return noClasses().that()
				.resideInAPackage("io.kairo..")
				.and()
				.resideOutsideOfPackages(packages)
				.should(accessTargetWhere(accessesHostFile()))
				.as("only " + List.of(packages) + " open files of the host")
				.because("other classes use WorkspaceFiles, which confines paths to the workspace");
		}

		private static DescribedPredicate<JavaAccess<?>> accessesHostFile() {
			return describe("it accesses a file of the host", (access) -> !(access instanceof JavaFieldAccess)
					&& OPENERS.stream().anyMatch((opener) -> access.getTargetOwner().isEquivalentTo(opener)));
		}

		private static DescribedPredicate<JavaAccess<?>> probesHostFile() {
			return describe("it probes a file of the host",
					(access) -> access.getTargetOwner().isEquivalentTo(File.class)
							&& PROBES.contains(access.getName()));
		}

	}

	@Nested
	class State {

		@Test
		void staticFieldsAreFinal() {
			KairoClasses.check(fields().that().areStatic().should().beFinal());
		}

		@Test
		void staticFieldsHoldNothingMutable() {
			KairoClasses.check(fields().that().areStatic().should(new HoldNothingMutable()));
		}

	}

	@Nested
	class AutoConfigurations {

		@Test
		void autoConfigurationsArePublicAndFinal() {
			KairoClasses.check(classes().that()
				.areAnnotatedWith(AUTO_CONFIGURATION)
				.should()
				.bePublic()
				.andShould()
				.haveModifier(JavaModifier.FINAL));
		}

		@Test
		void autoConfigurationsHaveNoPublicMembers() {
			KairoClasses.check(members().that()
				.areDeclaredInClassesThat()
				.areAnnotatedWith(AUTO_CONFIGURATION)
				.and(describe("are not the default constructor",
						(member) -> !member.getFullName().endsWith(".<init>()")))
				.should()
				.notBePublic());
		}

		@Test
		void beansArePackagePrivate() {
			KairoClasses.check(methods().that().areAnnotatedWith(BEAN).should().bePackagePrivate());
		}

	}

	@Nested
	class Logging {

		@Test
		void noClassLogsWithSlf4j() {
			// the MDC and the keys of an event have no counterpart
			KairoClasses.check(noClasses().that(not(simpleName("LogAuditSink")))
				.should()
				.dependOnClassesThat(resideInAPackage("org.slf4j..").and(not(simpleName("MDC")))));
		}

		@Test
		void noClassDependsOnJavaUtilLogging() {
			KairoClasses.check(noClasses().should().dependOnClassesThat(resideInAPackage("java.util.logging..")));
		}

		@Test
		void noClassAccessesStandardStreams() {
			// but for programs, and for clients that use them
			KairoClasses.check(noClasses().that(not(simpleName("AuditVerifier").or(simpleName("McpStdio"))))
				.should(GeneralCodingRules.ACCESS_STANDARD_STREAMS));
		}

	}

	@Nested
	class Names {

		@Test
		void classNamesHaveNoGenericSuffix() {
			KairoClasses.check(noClasses().should()
				.haveNameMatching(".*(Utils?|Manager|Helper)")
				.because("a class is named after its role"));
		}

		@Test
		void interfaceNamesDoNotStartWithAbstract() {
			KairoClasses.check(noClasses().that().areInterfaces().should().haveSimpleNameStartingWith("Abstract"));
		}

		@Test
		void publicFieldsAreFinal() {
			KairoClasses.check(noFields().that().areNotFinal().should().bePublic());
		}

	}

}

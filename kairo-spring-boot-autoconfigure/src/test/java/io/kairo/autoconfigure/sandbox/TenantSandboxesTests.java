package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TenantSandboxes} and their configuration.
 */
class TenantSandboxesTests {

	private static final TenantContext ACME = new TenantContext("acme", "alice");

	@TempDir
	Path directory;

	private SandboxRequest request(TenantContext tenant) {
		return new SandboxRequest.Builder("exit 3", this.directory).tenant(tenant).build();
	}

	@Test
	void commandRunsInSandboxOfItsTenant() {
		TenantSandboxes sandboxes = new TenantSandboxes(new Named("everybody"), Map.of("acme", new Named("own")));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandboxes.start(request(ACME)))
			.withMessageContaining("own");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> sandboxes.start(request(TenantContext.SINGLE)))
			.withMessageContaining("everybody");
		assertThat(sandboxes.capabilities(ACME).backend()).isEqualTo("own");
		assertThat(sandboxes.capabilities(TenantContext.SINGLE).backend()).isEqualTo("everybody");
		assertThat(sandboxes.temporaryFiles(ACME, "a").target()).isEqualTo("/own/a");
		assertThat(sandboxes.temporaryFiles(TenantContext.SINGLE, "a").target()).isEqualTo("/everybody/a");
		assertThat(sandboxes.sharedDirectories(ACME)).containsExactly("/own");
		assertThat(sandboxes.sharedDirectories(TenantContext.SINGLE)).containsExactly("/everybody");
		assertThat(sandboxes.overlay(ACME, "a", Path.of("/lower"), Path.of("/layer")).directory())
			.hasToString("/own/a/lower/layer");
	}

	@Test
	void capabilitiesAreThoseCommonToAllSandboxes() {
		TenantSandboxes sandboxes = new TenantSandboxes(
				new Named("strong", SandboxCapability.STDIN, SandboxCapability.FILE_CONFINEMENT),
				Map.of("acme", new Named("weak", SandboxCapability.STDIN), "none", new NoCommands()));
		SandboxCapabilities all = sandboxes.capabilities();
		assertThat(all.enforced()).containsExactly(SandboxCapability.STDIN);
		assertThat(all.reason(SandboxCapability.FILE_CONFINEMENT)).contains("tenant acme", "'weak'", "because");
		assertThat(sandboxes.capabilities(TenantContext.SINGLE).has(SandboxCapability.FILE_CONFINEMENT)).isTrue();
	}

	@Nested
	class Configured {

		private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process");

		@Test
		void commandIsRefusedWithReasonIfTenantHasNoSandbox() {
			this.contextRunner.withPropertyValues("kairo.sandbox.tenants.acme.type=none").run((context) -> {
				ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
				assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request(ACME)))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST))
					.withMessageContainingAll("acme", "disabled")
					.withMessageNotContaining("kairo.");
				try (SandboxHandle handle = sandbox.start(request(TenantContext.SINGLE))) {
					assertThat(handle.exit().block().exitCode()).isEqualTo(3);
				}
				assertThat(context.getBean(SandboxChoice.class).describeTenants())
					.containsExactly(Map.entry("acme", "none (kairo.sandbox.tenants.acme.type is none)"));
			});
		}

		@Test
		void unavailableSandboxOfTenantFailsStartup() {
			this.contextRunner
				.withPropertyValues("kairo.sandbox.tenants.acme.type=bubblewrap",
						"kairo.sandbox.bubblewrap.executable=/no/bwrap", "kairo.sandbox.auto-order=bubblewrap,process")
				.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("bwrap_missing"));
		}

		@Test
		void requiredIsolationAppliesToEveryTenant() {
			this.contextRunner
				.withPropertyValues("kairo.sandbox.tenants.acme.type=process", "kairo.sandbox.require-isolation=true")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContaining("kairo.sandbox.require-isolation"));
		}

		@Test
		void settingsThatTenantDoesNotHaveAreThoseOfAllTenants() {
			this.contextRunner
				.withPropertyValues("kairo.sandbox.timeout=7s", "kairo.sandbox.limits.file-size=1MB",
						"kairo.sandbox.tenants.acme.max-timeout=9s", "kairo.sandbox.tenants.acme.limits.file-size=4KB")
				.run((context) -> {
					SandboxProperties acme = context.getBean(SandboxProperties.class).of("acme");
					assertThat(acme.type()).isEqualTo("process");
					assertThat(acme.timeout()).isEqualTo(Duration.ofSeconds(7));
					assertThat(acme.maxTimeout()).isEqualTo(Duration.ofSeconds(9));
					assertThat(context.getBean(SandboxProperties.class).of("globex").maxTimeout())
						.isEqualTo(Duration.ofSeconds(600));
				});
		}

		@Test
		void limitOfTenantAppliesToItsCommands() {
			this.contextRunner
				.withPropertyValues("kairo.sandbox.limits.file-size=1MB",
						"kairo.sandbox.tenants.acme.limits.file-size=4KB")
				.run((context) -> {
					ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
					assertThat(exitOfLargeFile(sandbox, ACME)).isNotZero();
					assertThat(exitOfLargeFile(sandbox, TenantContext.SINGLE)).isZero();
				});
		}

		@Test
		void networkOfTenantIsRequiredOfItsSandboxAlone() {
			this.contextRunner.withPropertyValues("kairo.sandbox.tenants.acme.network=none")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContainingAll("kairo.sandbox.tenants.acme.network", "'process'", "network off"));
		}

		@Test
		void contradictionOfTenantIsReportedWithItsProperty() {
			this.contextRunner.withPropertyValues("kairo.sandbox.tenants.acme.timeout=700s")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContainingAll("kairo.sandbox.tenants.acme.max-timeout",
							"not be below kairo.sandbox.tenants.acme.timeout, PT11M40S"));
			this.contextRunner.withPropertyValues("kairo.sandbox.tenants.acme.network=allow-list")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContaining("kairo.sandbox.tenants.acme.network-allow"));
			this.contextRunner
				.withPropertyValues("kairo.sandbox.tenants.acme.network=allow-list",
						"kairo.sandbox.tenants.acme.network-allow=https://x.org/")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContainingAll("kairo.sandbox.tenants.acme.network-allow",
							"'https://x.org/' is no host"));
			this.contextRunner
				.withPropertyValues("kairo.sandbox.tenants.acme.network=allow-list",
						"kairo.sandbox.tenants.acme.network-allow=localhost:8443")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContaining("with its port in kairo.sandbox.tenants.acme.network-allow-internal"));
			this.contextRunner.withPropertyValues("kairo.sandbox.tenants.acme.limits.cpus=10001")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContainingAll("kairo.sandbox.tenants.acme.limits.cpus", "at most 10000"));
		}

		private int exitOfLargeFile(ExecutionSandbox sandbox, TenantContext tenant) {
			Path workspace = TenantSandboxesTests.this.directory;
			try (SandboxHandle handle = sandbox.start(
					new SandboxRequest.Builder("head -c 65536 /dev/zero > large", workspace).tenant(tenant).build())) {
				return handle.exit().block().exitCode();
			}
		}

		@Test
		void sandboxOfTenantFailsStartupIfCommandsAreDisabled() {
			this.contextRunner.withPropertyValues("kairo.sandbox.type=none", "kairo.sandbox.tenants.acme.type=process")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContainingAll("kairo.sandbox.tenants", "acme", "none"));
		}

		@Test
		void unknownSandboxOfTenantIsReportedWithProperty() {
			this.contextRunner.withPropertyValues("kairo.sandbox.tenants.acme.type=podman")
				.run((context) -> assertThat(context).getFailure()
					.hasStackTraceContaining("kairo.sandbox.tenants.acme.type")
					.rootCause()
					.hasMessageContainingAll("podman", "no sandbox has this type"));
		}

	}

	/**
	 * A sandbox that refuses every command, with its own name as the message.
	 */
	private static final class Named implements ExecutionSandbox {

		private final String name;

		private final EnumSet<SandboxCapability> claims = EnumSet.noneOf(SandboxCapability.class);

		Named(String name, SandboxCapability... claims) {
			this.name = name;
			this.claims.addAll(List.of(claims));
		}

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, this.name, "none");
		}

		@Override
		public SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
			return new SessionDirectory("/" + this.name + "/" + sessionId, Path.of("/tmp"), () -> true);
		}

		@Override
		public Overlay overlay(TenantContext tenant, String sessionId, Path lower, Path layer) {
			return new Overlay(Path.of("/" + this.name + "/" + sessionId + lower + layer), () -> true, () -> {
			});
		}

		@Override
		public List<String> sharedDirectories(TenantContext tenant) {
			return List.of("/" + this.name);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.of(this.name, this.claims,
					Map.of(SandboxCapability.FILE_CONFINEMENT, "because it is " + this.name));
		}

	}

}

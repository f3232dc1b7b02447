package io.kairo.autoconfigure.workspace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.environment.KairoEnvironmentAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.WorkspaceRoots;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import io.kairo.workspace.routing.TooManyWorkspacesException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the lifecycle of workspaces.
 */
class WorkspaceLifecycleTests {

	@TempDir
	Path directory;

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class,
					KairoToolsAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.sandbox.type=process");
	}

	@Nested
	class Leases {

		@Test
		void idleLeasesAreReleasedExceptThoseOfSessions() {
			runner().withPropertyValues("kairo.workspace.idle-timeout=50ms").run((context) -> {
				RoutingWorkspaceProvider provider = context.getBean(RoutingWorkspaceProvider.class);
				Workspace left = provider.acquire(WorkspaceRequest.writable("memory:left"));
				AgentSessions sessions = context.getBean(AgentSessions.class);
				Workspace kept = sessions.inSession(SessionRequest.of(TenantContext.SINGLE, "s").in("memory:kept"),
						(builder) -> builder.build().currentWorkspace());
				Awaitility.await()
					.untilAsserted(() -> assertThat(provider.leases()).extracting((lease) -> lease.workspace())
						.containsExactly(kept));
				assertThatExceptionOfType(WorkspaceException.class)
					.isThrownBy(() -> context.getBean(WorkspaceFilesFactory.class).open(left));
			});
		}

		@Test
		void leasesAreLimitedPerTenant() {
			runner()
				.withPropertyValues("kairo.tenancy.limits.default.workspaces=2",
						"kairo.tenancy.limits.acme.workspaces=1")
				.run((context) -> {
					RoutingWorkspaceProvider provider = context.getBean(RoutingWorkspaceProvider.class);
					provider.acquire(WorkspaceRequest.writable("memory:a"));
					provider.acquire(WorkspaceRequest.writable("memory:b"));
					assertThatExceptionOfType(TooManyWorkspacesException.class)
						.isThrownBy(() -> provider.acquire(WorkspaceRequest.writable("memory:c")));
					TenantContext acme = new TenantContext("acme", "ann");
					provider.acquire(new WorkspaceRequest("memory:a", acme, true));
					ToolResult refused = context.getBean(AgentSessions.class)
						.call(SessionRequest.of(acme, "s").in("memory:b"), context.getBean(ToolCatalog.class),
								new ToolCall("", "Read", Map.of("file_path", "a")), UnaryOperator.identity());
					assertThat(refused.error().code()).isEqualTo("too_many_workspaces");
					assertThat(refused.data()).containsEntry("limit", "workspaces")
						.containsEntry("maximum", 1)
						.containsEntry("retryAfterMs", 10_000L);
				});
		}

		@Test
		void allLeasesAreReleasedOnShutdown() {
			AtomicInteger open = new AtomicInteger();
			runner().withBean("counted", WorkspaceProviderRegistration.class, () -> counted(open)).run((context) -> {
				context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable("counted:a"));
				context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable("counted:a"));
				context.getBean(AgentSessions.class)
					.inSession(SessionRequest.of(TenantContext.SINGLE, "s").in("counted:b"),
							(builder) -> builder.build().session());
				assertThat(open).hasValue(3);
				context.getSourceApplicationContext().close();
				assertThat(open).hasValue(0);
			});
		}

		@Test
		void leaseLimitsMustBePositive() {
			for (String property : List.of("kairo.workspace.idle-timeout=0s", "kairo.workspace.close-timeout=-1s",
					"kairo.tenancy.limits.default.workspaces=0")) {
				runner().withPropertyValues(property)
					.run((context) -> assertThat(context).hasFailed()
						.getFailure()
						.rootCause()
						.hasMessageContaining(
								property.substring(property.lastIndexOf('.') + 1, property.indexOf('='))));
			}
		}

		private WorkspaceProviderRegistration counted(AtomicInteger open) {
			InMemoryWorkspaceProvider memory = new InMemoryWorkspaceProvider();
			return new WorkspaceProviderRegistration("counted", new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					open.incrementAndGet();
					return memory.acquire(new WorkspaceRequest(request.hint().replace("counted:", "memory:"),
							request.tenant(), request.writable()));
				}

				@Override
				public void release(String workspaceId) {
					open.decrementAndGet();
					memory.release(workspaceId);
				}

			}, memory);
		}

	}

	@Nested
	class Events {

		@Test
		void eventsNameTenantOfAcquireReleaseAndRefusal() {
			runner().withUserConfiguration(Listening.class).run((context) -> {
				WorkspaceProvider provider = context.getBean(WorkspaceProvider.class);
				provider.acquire(WorkspaceRequest.writable("memory:a"));
				provider.release("memory:a");
				assertThatExceptionOfType(RuntimeException.class)
					.isThrownBy(() -> provider.acquire(WorkspaceRequest.writable("missing")));
				List<Object> events = context.getBean(Listening.class).events;
				assertThat(events).hasSize(3)
					.startsWith(new WorkspaceAcquiredEvent("memory:a", WorkspaceKind.EPHEMERAL, TenantContext.SINGLE),
							new WorkspaceReleasedEvent("memory:a", WorkspaceKind.EPHEMERAL, TenantContext.SINGLE, 0));
				assertThat(events.get(2)).isInstanceOfSatisfying(WorkspaceRefusedEvent.class,
						(event) -> assertThat(event.failure()).hasMessageContaining("missing"));
			});
		}

		@Test
		void failingEventListenerDoesNotAffectAcquire() {
			runner().withUserConfiguration(Failing.class).run((context) -> {
				RoutingWorkspaceProvider provider = context.getBean(RoutingWorkspaceProvider.class);
				provider.acquire(WorkspaceRequest.writable("memory:a"));
				provider.release("memory:a");
				assertThat(provider.leases()).isEmpty();
			});
		}

		@Test
		void eventsAreNotPublishedDuringShutdown() {
			runner().withUserConfiguration(Listening.class).run((context) -> {
				context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable("memory:a"));
				List<Object> events = context.getBean(Listening.class).events;
				context.getSourceApplicationContext().close();
				assertThat(events).hasSize(1);
			});
		}

	}

	@Nested
	class Roots {

		@Test
		void rootsCanBeAddedToWorkspacesInUse() throws Exception {
			Path primary = Files.createDirectory(WorkspaceLifecycleTests.this.directory.resolve("primary"));
			Path added = Files.createDirectory(WorkspaceLifecycleTests.this.directory.toRealPath().resolve("added"));
			runner().withPropertyValues("kairo.workspace.roots=" + primary).run((context) -> {
				Workspace workspace = context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null));
				context.getBean(WorkspaceRoots.class).add(added);
				assertThat(workspace.roots()).containsExactly(primary, added);
			});
		}

		@Test
		void rootsBackOffForProviderOfTheApplication() {
			runner()
				.withBean("own", WorkspaceProvider.class,
						() -> new LocalDirectoryWorkspaceProvider(WorkspaceLifecycleTests.this.directory))
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WorkspaceRoots.class));
		}

		@Test
		void missingRootsFailStartupInsteadOfTools() {
			for (String property : List.of("kairo.workspace.roots=", "kairo.workspace.roots= ",
					"kairo.workspace.roots.path=/x", "kairo.workspace.roots[0].path=/x",
					"kairo.workspace.add-dirs=/does/not/exist", "kairo.workspace.add-dirs[0]= ",
					"kairo.workspace.hint=nobody:knows")) {
				configured(property).run((context) -> assertThat(context).as(property)
					.hasFailed()
					.getFailure()
					.satisfies((failure) -> assertThat(messages(failure))
						.contains(property.replaceAll("[=\\[].*|[.]path.*", ""))));
			}
		}

		private ApplicationContextRunner configured(String property) {
			return new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(KairoEnvironmentAutoConfiguration.class,
						KairoWorkspaceAutoConfiguration.class))
				.withPropertyValues(property);
		}

		private static String messages(Throwable failure) {
			StringBuilder messages = new StringBuilder();
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				messages.append(cause).append('\n');
			}
			return messages.toString();
		}

	}

	@Nested
	class CurrentDirectories {

		@Test
		void workingDirectoryOutsideTheWorkspaceIsReset() {
			runner().run((context) -> {
				assertThat(bash(context, "cd /").text()).contains("the current directory is the workspace root");
				assertThat(bash(context, "pwd").text()).isNotEqualTo("/");
			});
		}

		@Test
		void workingDirectoryOutsideTheWorkspaceIsKeptByProperty() {
			runner().withPropertyValues("kairo.workspace.strict-cwd=false").run((context) -> {
				bash(context, "cd /");
				assertThat(bash(context, "pwd").text()).isEqualTo("/");
			});
		}

		private ToolResult bash(ApplicationContext context, String command) {
			return context.getBean(AgentSessions.class)
				.call(SessionRequest.of(TenantContext.SINGLE, "s"), context.getBean(ToolCatalog.class),
						new ToolCall("", "Bash", Map.of("command", command)), UnaryOperator.identity());
		}

	}

	@Test
	void lazyInitializationKeepsIdleTimeout() {
		runner()
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("kairo.workspace.idle-timeout=50ms")
			.run((context) -> {
				RoutingWorkspaceProvider provider = context.getBean(RoutingWorkspaceProvider.class);
				provider.acquire(WorkspaceRequest.writable("memory:left"));
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.untilAsserted(() -> assertThat(provider.leases()).isEmpty());
			});
	}

	@Test
	void lazyInitializationValidatesPropertiesAtStartup() {
		for (String property : List.of("kairo.workspace.roots=/does/not/exist", "kairo.workspace.provider=none",
				"kairo.workspace.hint=nobody:knows", "kairo.tools.include=Nothing",
				"kairo.sandbox.require-isolation=true", "kairo.sandbox.timeout=0s")) {
			runner().withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
				.withPropertyValues(property)
				.run((context) -> assertThat(context).as(property).hasFailed());
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Listening {

		final List<Object> events = new CopyOnWriteArrayList<>();

		@EventListener
		void acquired(WorkspaceAcquiredEvent event) {
			this.events.add(event);
		}

		@EventListener
		void released(WorkspaceReleasedEvent event) {
			this.events.add(event);
		}

		@EventListener
		void refused(WorkspaceRefusedEvent event) {
			this.events.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Failing {

		@Bean
		ApplicationListener<PayloadApplicationEvent<?>> failing() {
			return (event) -> {
				throw new IllegalStateException("listener");
			};
		}

	}

}

package io.kairo.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the session and workspace selected by a {@link SessionRequest}.
 */
class SessionRequestTests {

	private static final TenantContext ANN = new TenantContext("acme", "ann");

	@TempDir
	Path directory;

	private final List<WorkspaceRequest> asked = new ArrayList<>();

	private AgentSessions sessions;

	@BeforeEach
	void open() throws Exception {
		Files.createDirectories(this.directory.resolve("sub"));
		this.sessions = sessions(SessionDefaults.NONE);
	}

	@AfterEach
	void close() {
		this.sessions.close();
	}

	@Nested
	class Workspaces {

		@Test
		void sessionUsesHintedWorkspace() {
			SessionRequest request = SessionRequest.of(ANN, "s");
			assertThat(session(request.in("sub")).workspace().root()).isEqualTo(directory("sub"));
			assertThat(session(request).workspace().root()).isEqualTo(directory(""));
			assertThat(session(request.in("sub"))).isSameAs(session(request.in("sub")));
		}

		@Test
		void sessionWithoutHintUsesDefaultWorkspace() {
			AgentSessions defaulting = sessions(new SessionDefaults("sub", true));
			SessionRequest request = SessionRequest.of(ANN, "s");
			AgentSession session = session(defaulting, request);
			assertThat(session.workspace().root()).isEqualTo(directory("sub"));
			assertThat(session(defaulting, request.in("sub"))).isSameAs(session);
			assertThat(session(defaulting, request.in(" "))).isSameAs(session);
			assertThat(session(defaulting, request.in("."))).isNotSameAs(session);
		}

		@Test
		void workspaceIsReadOnlyWhenRequestOrDefaultsSaySo() {
			SessionRequest request = SessionRequest.of(ANN, "s");
			assertThat(session(request).workspace().writable()).isTrue();
			assertThat(session(request.readOnly()).workspace().writable()).isFalse();
			AgentSessions reading = sessions(new SessionDefaults(null, false));
			assertThat(session(reading, request).workspace().writable()).isFalse();
		}

	}

	@Nested
	class Sessions {

		@Test
		void eachAgentHasItsOwnSession() {
			SessionRequest first = SessionRequest.of(agent("a1"), "s");
			assertThat(session(first)).isSameAs(session(first))
				.isNotSameAs(session(SessionRequest.of(agent("a2"), "s")))
				.isNotSameAs(session(SessionRequest.of(ANN, "s")));
			assertThat(SessionRequestTests.this.asked).extracting((request) -> request.tenant().attributes())
				.contains(Map.of(TenantContext.ATTR_AGENT_ID, "a1"));
		}

		@Test
		void otherTenantAttributesReachCallButNotSession() {
			AgentSession session = session(SessionRequest.of(ANN, "s"));
			TenantContext traced = new TenantContext("acme", "ann", Map.of("trace", "42"));
			ToolContext context = SessionRequestTests.this.sessions.inSession(SessionRequest.of(traced, "s"),
					(builder) -> builder.build());
			assertThat(context.session()).isSameAs(session);
			assertThat(context.tenant()).isEqualTo(traced);
			assertThat(context.toBuilder().build().tenant()).isEqualTo(traced);
			assertThat(session.tenant()).isEqualTo(ANN);
		}

		@Test
		void contextRejectsSessionOfAnotherPrincipal() {
			AgentSession session = session(SessionRequest.of(ANN, "s"));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> ToolContext.builder(session.workspace())
					.session(session)
					.tenant(new TenantContext("acme", "bob"))
					.build())
				.withMessageContaining("principal");
		}

		@Test
		void childSessionSharesWorkspaceOfParent() {
			AgentSession parent = session(SessionRequest.of(ANN, "s"));
			AgentSession child = session(SessionRequest.of(ANN, "s").child("helper"));
			assertThat(child).isSameAs(parent.child("helper")).isNotSameAs(parent);
			assertThat(SessionRequestTests.this.asked).hasSize(1);
			assertThatIllegalArgumentException().isThrownBy(() -> SessionRequest.of(ANN, "s").child(" "));
		}

	}

	@Nested
	class RefusedWorkspaces {

		@Test
		void refusedWorkspaceIsResultSeenByEveryInterceptor() {
			List<String> seen = new ArrayList<>();
			ToolCatalog catalog = ToolCatalog.of(List.of(new ReadTool()), List.of((call, context, chain) -> {
				seen.add("begin " + context.tenant().tenantId());
				ToolResult result = chain.proceed(call, context.toBuilder().build());
				seen.add("end " + (result.error() != null ? result.error().code() : "none"));
				return result;
			}));
			assertThat(read(catalog, SessionRequest.of(ANN, "s").in("missing")).error().code())
				.isEqualTo("file_not_found");
			assertThat(seen).containsExactly("begin acme", "end file_not_found");
		}

		@Test
		void outerInterceptorSeesResultWhenInnerOneCannotGetWorkspace() {
			List<String> seen = new ArrayList<>();
			ToolCatalog catalog = ToolCatalog.of(List.of(new ReadTool()), List.of((call, context, chain) -> {
				ToolResult result = chain.proceed(call, context);
				seen.add(result.error().code());
				return result;
			}, (call, context, chain) -> {
				context.currentWorkspace();
				return chain.proceed(call, context);
			}));
			read(catalog, SessionRequest.of(ANN, null).in("missing"));
			assertThat(seen).containsExactly("file_not_found");
		}

		@Test
		void callRefusedByInterceptorDoesNotAcquireWorkspace() {
			ToolCatalog catalog = ToolCatalog.of(List.of(new ReadTool()),
					List.of((call, context, chain) -> ToolResult.failure("rate_limited", "Too fast.", null)));
			assertThat(read(catalog, SessionRequest.of(ANN, "s")).error().code()).isEqualTo("rate_limited");
			assertThat(SessionRequestTests.this.asked).isEmpty();
		}

		@Test
		void nextAttemptAcquiresRefusedWorkspaceAgain() {
			ToolCatalog catalog = ToolCatalog.of(List.of(new ReadTool()), List.of((call, context, chain) -> {
				assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(context::session);
				try {
					Files.createDirectory(directory("late"));
				}
				catch (java.io.IOException ex) {
					throw new IllegalStateException(ex);
				}
				return chain.proceed(call, context);
			}));
			assertThat(read(catalog, SessionRequest.of(ANN, null).in("late")).error().code())
				.isEqualTo("file_not_found");
			assertThat(SessionRequestTests.this.asked).hasSize(2);
		}

		@Test
		void inSessionThrowsWhenWorkspaceIsRefused() {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> session(SessionRequest.of(ANN, "s").in("missing")));
			assertThat(SessionRequestTests.this.sessions.list()).isEmpty();
		}

		@Test
		void failureOfWorkspaceProviderIsResult() {
			AgentSessions failing = new AgentSessions(new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					throw new WorkspaceException(WorkspaceErrorCode.REMOTE_UNREACHABLE, "No answer", null);
				}

				@Override
				public void release(String workspaceId) {
					// nothing was acquired
				}

			}, (workspace) -> new NoFiles(), (request) -> {
				throw new IllegalStateException("not used");
			});
			ToolResult result = failing.call(SessionRequest.of(ANN, "s"),
					ToolCatalog.of(List.of(new ReadTool()), List.of()),
					new ToolCall("", "Read", Map.of("file_path", "a")), UnaryOperator.identity());
			assertThat(result.error().code()).isEqualTo("remote_unreachable");
		}

	}

	@Test
	void contextKeptAfterItsCallCannotOpenSession() {
		List<ToolContext> kept = new ArrayList<>();
		ToolCatalog catalog = ToolCatalog.of(List.of(), List.of((call, context, chain) -> {
			kept.add(context);
			return chain.proceed(call, context);
		}));
		read(catalog, SessionRequest.of(ANN, null));
		assertThat(this.asked).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> kept.get(0).session());
	}

	@Test
	void callAfterCloseIsRejected() {
		this.sessions.close();
		assertThatIllegalStateException()
			.isThrownBy(() -> read(ToolCatalog.of(List.of(), List.of()), SessionRequest.of(ANN, null)));
	}

	private ToolResult read(ToolCatalog catalog, SessionRequest request) {
		return this.sessions.call(request, catalog, new ToolCall("", "Read", Map.of("file_path", "a")),
				UnaryOperator.identity());
	}

	private AgentSession session(SessionRequest request) {
		return session(this.sessions, request);
	}

	private static AgentSession session(AgentSessions sessions, SessionRequest request) {
		return sessions.inSession(request, (context) -> context.build().session());
	}

	private Path directory(String name) {
		return this.directory.resolve(name);
	}

	private static TenantContext agent(String id) {
		return new TenantContext("acme", "ann", Map.of(TenantContext.ATTR_AGENT_ID, id));
	}

	private AgentSessions sessions(SessionDefaults defaults) {
		LocalDirectoryWorkspaceProvider local = new LocalDirectoryWorkspaceProvider(this.directory);
		return new AgentSessions(new WorkspaceProvider() {

			@Override
			public Workspace acquire(WorkspaceRequest request) {
				SessionRequestTests.this.asked.add(request);
				return local.acquire(request);
			}

			@Override
			public void release(String workspaceId) {
				local.release(workspaceId);
			}

		}, new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), (request) -> {
			throw new IllegalStateException("not used");
		}, SessionBounds.DEFAULTS, defaults, new OutputStore(OutputOptions.defaults()));
	}

}

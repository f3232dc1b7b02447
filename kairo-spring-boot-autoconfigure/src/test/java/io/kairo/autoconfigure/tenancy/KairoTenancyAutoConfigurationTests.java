package io.kairo.autoconfigure.tenancy;

import io.kairo.boot.TenantRequiredException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.api.tenant.TenantContextHolder.Scope;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.core.context.SecurityContextImpl;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link KairoTenancyAutoConfiguration}.
 */
class KairoTenancyAutoConfigurationTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoTenancyAutoConfiguration.class));

	@AfterEach
	void clearSecurityContext() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void holderBeanOfTheApplicationReplacesTheDefault() {
		this.contextRunner.withBean(TenantContextHolder.class, () -> TenantContextHolder.NOOP)
			.run((context) -> assertThat(context).getBean(TenantContextHolder.class)
				.isSameAs(TenantContextHolder.NOOP));
	}

	@Nested
	class Resolution {

		@Test
		void boundTenantTakesPrecedence() {
			authenticate(new TestingAuthenticationToken("globex", "secret", "ROLE_USER"));
			run((holder) -> {
				try (Scope scope = holder.bind(ACME)) {
					assertThat(holder.current()).isEqualTo(ACME);
					try (Scope inner = holder.bind(TenantContext.SINGLE)) {
						assertThat(holder.current()).isEqualTo(TenantContext.SINGLE);
					}
					assertThat(holder.current()).isEqualTo(ACME);
				}
				assertThat(holder.current().tenantId()).isEqualTo("globex");
			});
		}

		@Test
		void principalIsUsedWithoutBoundTenant() {
			authenticate(new TestingAuthenticationToken("globex", "secret", "ROLE_USER"));
			run((holder) -> assertThat(holder.current()).isEqualTo(new TenantContext("globex", "globex")));
		}

		@Test
		void resolverOfTheApplicationMapsPrincipalToTenant() {
			authenticate(new TestingAuthenticationToken("bob@globex", "secret", "ROLE_USER"));
			KairoTenancyAutoConfigurationTests.this.contextRunner
				.withBean(TenantResolver.class,
						() -> (principal) -> new TenantContext(principal.getName().split("@")[1], "bob"))
				.run((context) -> assertThat(context.getBean(TenantContextHolder.class).current())
					.isEqualTo(new TenantContext("globex", "bob")));
		}

		@Test
		void principalRejectedByResolverIsRejected() {
			authenticate(new TestingAuthenticationToken("nobody", "secret", "ROLE_USER"));
			KairoTenancyAutoConfigurationTests.this.contextRunner.withBean(TenantResolver.class, () -> (principal) -> {
				throw new IllegalStateException("no tenant for " + principal.getName());
			})
				.run((context) -> assertThatIllegalStateException()
					.isThrownBy(() -> context.getBean(TenantContextHolder.class).current())
					.withMessage("no tenant for nobody"));
		}

		@Test
		void defaultTenantIsTheFallback() {
			run((holder) -> assertThat(holder.current()).isEqualTo(TenantContext.SINGLE));
			KairoTenancyAutoConfigurationTests.this.contextRunner.withPropertyValues("kairo.tenancy.default=house")
				.run((context) -> assertThat(context.getBean(TenantContextHolder.class).current().tenantId())
					.isEqualTo("house"));
		}

		@Test
		void anonymousAndUnauthenticatedCallersAreNotPrincipals() {
			Authentication unauthenticated = new TestingAuthenticationToken("globex", "secret");
			unauthenticated.setAuthenticated(false);
			for (Authentication nobody : new Authentication[] { unauthenticated, new AnonymousAuthenticationToken("key",
					"anonymousUser", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")) }) {
				authenticate(nobody);
				run((holder) -> assertThat(holder.current()).isEqualTo(TenantContext.SINGLE));
			}
		}

		@Test
		void callerWithoutTenantIsRejectedIfTenantIsRequired() {
			KairoTenancyAutoConfigurationTests.this.contextRunner.withPropertyValues("kairo.tenancy.required=true")
				.run((context) -> {
					TenantContextHolder holder = context.getBean(TenantContextHolder.class);
					assertThatExceptionOfType(TenantRequiredException.class).isThrownBy(holder::current)
						.withMessageContaining("kairo.tenancy.required");
					try (Scope scope = holder.bind(ACME)) {
						assertThat(holder.current()).isEqualTo(ACME);
					}
					authenticate(new TestingAuthenticationToken("globex", "secret", "ROLE_USER"));
					assertThat(holder.current().tenantId()).isEqualTo("globex");
				});
		}

		@Test
		void callerWithoutTenantIsRejectedByDefaultOnlyIfRootsAreDivided() {
			ApplicationContextRunner apart = KairoTenancyAutoConfigurationTests.this.contextRunner
				.withPropertyValues("kairo.workspace.roots[0]=/srv/{tenant}");
			apart.run((context) -> assertThatExceptionOfType(TenantRequiredException.class)
				.isThrownBy(context.getBean(TenantContextHolder.class)::current));
			for (ApplicationContextRunner served : List.of(apart.withPropertyValues("kairo.tenancy.required=false"),
					apart.withClassLoader(new FilteredClassLoader("org.springframework.security")),
					KairoTenancyAutoConfigurationTests.this.contextRunner
						.withPropertyValues("kairo.workspace.roots=/srv,/srv/{tenant}"))) {
				served.run((context) -> assertThat(context.getBean(TenantContextHolder.class).current())
					.isEqualTo(TenantContext.SINGLE));
			}
		}

		@Test
		void principalNamedLikeTheDefaultTenantIsRejected() {
			authenticate(new TestingAuthenticationToken("house", "secret", "ROLE_USER"));
			ApplicationContextRunner runner = KairoTenancyAutoConfigurationTests.this.contextRunner
				.withPropertyValues("kairo.tenancy.default=house");
			runner.run((context) -> assertThatExceptionOfType(TenantRequiredException.class)
				.isThrownBy(context.getBean(TenantContextHolder.class)::current)
				.withMessageContainingAll("house", "kairo.tenancy.default"));
			runner.withBean(TenantResolver.class, () -> (principal) -> new TenantContext("house", "x"))
				.run((context) -> assertThat(context.getBean(TenantContextHolder.class).current().tenantId())
					.isEqualTo("house"));
		}

		@Test
		void currentSecurityContextHolderStrategyIsUsed() {
			run((holder) -> {
				SecurityContextHolderStrategy before = SecurityContextHolder.getContextHolderStrategy();
				SecurityContextHolder.setStrategyName(SecurityContextHolder.MODE_GLOBAL);
				try {
					authenticate(new TestingAuthenticationToken("globex", "secret", "ROLE_USER"));
					assertThat(holder.current().tenantId()).isEqualTo("globex");
				}
				finally {
					SecurityContextHolder.clearContext();
					SecurityContextHolder.setContextHolderStrategy(before);
				}
			});
		}

		@Test
		void tenancyWorksWithoutSpringSecurity() {
			authenticate(new TestingAuthenticationToken("globex", "secret", "ROLE_USER"));
			KairoTenancyAutoConfigurationTests.this.contextRunner
				.withClassLoader(new FilteredClassLoader("org.springframework.security"))
				.run((context) -> assertThat(context.getBean(TenantContextHolder.class).current())
					.isEqualTo(TenantContext.SINGLE));
		}

	}

	@Nested
	class Reactive {

		private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoTenancyAutoConfiguration.class));

		@AfterEach
		void disablePropagation() {
			Hooks.disableAutomaticContextPropagation();
		}

		@Test
		void principalOfReactiveRequestIsUsedWhereItIsPropagated() {
			Hooks.enableAutomaticContextPropagation();
			this.reactive.run((context) -> {
				TenantContextHolder holder = context.getBean(TenantContextHolder.class);
				for (String name : List.of("alice", "bob")) {
					assertThat(tenant(holder, new TestingAuthenticationToken(name, "secret", "ROLE_USER"))
						.block(Duration.ofSeconds(30))).isEqualTo(new TenantContext(name, name));
				}
				assertThatExceptionOfType(TenantRequiredException.class).isThrownBy(holder::current);
			});
		}

		@Test
		void securityContextThatIsLoadedLaterIsAwaited() {
			Hooks.enableAutomaticContextPropagation();
			Mono<SecurityContext> loaded = Mono
				.<SecurityContext>just(
						new SecurityContextImpl(new TestingAuthenticationToken("alice", "secret", "ROLE_USER")))
				.delayElement(Duration.ofMillis(1));
			this.reactive
				.run((context) -> assertThat(Mono.fromCallable(context.getBean(TenantContextHolder.class)::current)
					.subscribeOn(Schedulers.boundedElastic())
					.contextWrite(ReactiveSecurityContextHolder.withSecurityContext(loaded))
					.block(Duration.ofSeconds(30))).isEqualTo(new TenantContext("alice", "alice")));
		}

		@Test
		void callerIsRejectedWhereNoPrincipalIsPropagated() {
			this.reactive.withPropertyValues("kairo.workspace.roots=/srv")
				.run((context) -> assertThatExceptionOfType(TenantRequiredException.class)
					.isThrownBy(() -> tenant(context.getBean(TenantContextHolder.class),
							new TestingAuthenticationToken("alice", "secret", "ROLE_USER"))
						.block(Duration.ofSeconds(30)))
					.withMessageContaining("set spring.reactor.context-propagation=auto")
					.withMessageNotContaining("kairo.tenancy.required"));
		}

		@Test
		void defaultTenantNeedsPropagation() {
			ReactiveWebApplicationContextRunner runner = this.reactive
				.withPropertyValues("kairo.tenancy.required=false");
			runner.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("kairo.tenancy.required", "spring.reactor.context-propagation=auto"));
			Hooks.enableAutomaticContextPropagation();
			runner.run((context) -> {
				TenantContextHolder holder = context.getBean(TenantContextHolder.class);
				assertThat(holder.current()).isEqualTo(TenantContext.SINGLE);
				assertThat(tenant(holder, new TestingAuthenticationToken("alice", "secret", "ROLE_USER"))
					.block(Duration.ofSeconds(30))).isEqualTo(new TenantContext("alice", "alice"));
				assertThat(tenant(holder,
						new AnonymousAuthenticationToken("key", "anonymousUser",
								AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")))
					.block(Duration.ofSeconds(30))).isEqualTo(TenantContext.SINGLE);
			});
		}

		@Test
		void applicationWithoutSpringSecurityOrWithItsOwnHolderIsNotAffected() {
			this.reactive.withClassLoader(new FilteredClassLoader("org.springframework.security"))
				.withPropertyValues("kairo.tenancy.required=false")
				.run((context) -> assertThat(context.getBean(TenantContextHolder.class).current())
					.isEqualTo(TenantContext.SINGLE));
			this.reactive.withBean(TenantContextHolder.class, () -> TenantContextHolder.NOOP)
				.withPropertyValues("kairo.tenancy.required=false")
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveTenancy.class));
		}

		/**
		 * Returns the tenant on the thread of a blocking call within a request.
		 */
		private static Mono<TenantContext> tenant(TenantContextHolder holder, Authentication caller) {
			return Mono.fromCallable(holder::current)
				.subscribeOn(Schedulers.boundedElastic())
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(caller));
		}

	}

	@Nested
	class Propagation {

		@Test
		void boundTenantIsPropagatedToOtherThreadAndRemovedAfterwards() throws Exception {
			ExecutorService executor = Executors.newSingleThreadExecutor();
			ExecutorService carrying = ContextExecutorService.wrap(executor,
					() -> ContextSnapshotFactory.builder().build().captureAll());
			try {
				run((holder) -> {
					try (Scope scope = holder.bind(ACME)) {
						assertThat(carrying.submit(holder::current).get()).isEqualTo(ACME);
						assertThat(carrying.submit(() -> {
							try (Scope inner = holder.bind(new TenantContext("inner", "x"))) {
								return holder.current().tenantId();
							}
						}).get()).isEqualTo("inner");
						assertThat(executor.submit(holder::current).get()).isEqualTo(TenantContext.SINGLE);
					}
					assertThat(carrying.submit(holder::current).get()).isEqualTo(TenantContext.SINGLE);
				});
			}
			finally {
				executor.shutdownNow();
			}
		}

		@Test
		void boundTenantIsPropagatedThroughReactor() {
			run((holder) -> {
				try (Scope scope = holder.bind(ACME)) {
					TenantContext seen = Mono.just("x")
						.publishOn(Schedulers.boundedElastic())
						.handle((value, sink) -> sink.next(holder.current()))
						.cast(TenantContext.class)
						.contextCapture()
						.block();
					assertThat(seen).isEqualTo(ACME);
				}
			});
		}

		@Test
		void boundTenantIsWrittenToReactorContext() {
			run((holder) -> {
				ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();
				TenantContext seen = Mono.just("x")
					.publishOn(Schedulers.boundedElastic())
					.handle((value, sink) -> sink.next(holder.current()))
					.cast(TenantContext.class)
					.contextWrite((context) -> {
						try (Scope scope = holder.bind(ACME)) {
							return snapshots.captureAll().updateContext(context);
						}
					})
					.block();
				assertThat(seen).isEqualTo(ACME);
				assertThat(holder.current()).isEqualTo(TenantContext.SINGLE);
			});
		}

		@Test
		void twoContextsInOneJvmPropagateIndependently() {
			run((first) -> run((second) -> {
				try (Scope scope = first.bind(ACME); Scope other = second.bind(new TenantContext("globex", "x"))) {
					AtomicReference<String> seen = new AtomicReference<>();
					Runnable look = () -> seen.set(first.current().tenantId() + " " + second.current().tenantId());
					CompletableFuture.runAsync(ContextSnapshotFactory.builder().build().captureAll().wrap(look)).join();
					assertThat(seen).hasValue("acme globex");
				}
			}));
		}

		@Test
		void accessorIsRemovedFromRegistryWhenContextIsClosed() {
			int before = ContextRegistry.getInstance().getThreadLocalAccessors().size();
			run((holder) -> assertThat(ContextRegistry.getInstance().getThreadLocalAccessors()).hasSize(before + 1));
			assertThat(ContextRegistry.getInstance().getThreadLocalAccessors()).hasSize(before);
		}

		@Test
		void propagationBacksOffWithoutMicrometer() {
			KairoTenancyAutoConfigurationTests.this.contextRunner
				.withClassLoader(new FilteredClassLoader("io.micrometer.context"))
				.run((context) -> assertThat(context).hasSingleBean(TenantContextHolder.class)
					.doesNotHaveBean("kairoTenantPropagation"));
		}

	}

	@Nested
	class Scopes {

		@Test
		void scopesMustBeClosedInReverseOrderOnTheirThread() throws Exception {
			run((holder) -> {
				Scope outer = holder.bind(ACME);
				Scope inner = holder.bind(TenantContext.SINGLE);
				assertThatIllegalStateException().isThrownBy(outer::close).withMessageContaining("acme");
				assertThat(CompletableFuture.runAsync(inner::close).handle((done, ex) -> ex).join()).isNotNull();
				inner.close();
				inner.close();
				assertThat(holder.current()).isEqualTo(ACME);
				outer.close();
			});
		}

	}

	@Test
	void blankDefaultTenantFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.tenancy.default= ")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.tenancy.default"));
	}

	private void run(Use use) {
		this.contextRunner.run((context) -> use.with(context.getBean(TenantContextHolder.class)));
	}

	private static void authenticate(Authentication authentication) {
		SecurityContextHolder.getContext().setAuthentication(authentication);
	}

	private interface Use {

		void with(TenantContextHolder holder) throws Exception;

	}

}

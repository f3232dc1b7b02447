package io.kairo.api.tenant;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.kairo.api.tenant.TenantContextHolder.Scope;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link TenantContextHolder}.
 */
class TenantContextHolderTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final TenantContext GLOBEX = new TenantContext("globex", "bob");

	@Nested
	class Noop {

		@Test
		void noopHolderAlwaysReturnsTheSingleTenant() {
			try (Scope scope = TenantContextHolder.NOOP.bind(ACME)) {
				assertThat(scope).isNotNull();
				assertThat(TenantContextHolder.NOOP.current()).isSameAs(TenantContext.SINGLE);
			}
		}

	}

	@Nested
	class ThreadBound {

		private final TenantContextHolder holder = TenantContextHolder.threadBound();

		@Test
		void singleTenantIsReturnedWhileNoneIsBound() {
			assertThat(this.holder.current()).isSameAs(TenantContext.SINGLE);
		}

		@Test
		void boundContextIsReturnedUntilTheScopeIsClosed() {
			try (Scope scope = this.holder.bind(ACME)) {
				assertThat(scope).isNotNull();
				assertThat(this.holder.current()).isSameAs(ACME);
			}
			assertThat(this.holder.current()).isSameAs(TenantContext.SINGLE);
		}

		@Test
		void nestedScopesRestoreThePreviousContext() {
			Scope outer = this.holder.bind(ACME);
			Scope inner = this.holder.bind(GLOBEX);
			assertThat(this.holder.current()).isSameAs(GLOBEX);
			inner.close();
			assertThat(this.holder.current()).isSameAs(ACME);
			outer.close();
			assertThat(this.holder.current()).isSameAs(TenantContext.SINGLE);
		}

		@Test
		void sameContextMayBeBoundTwice() {
			Scope outer = this.holder.bind(ACME);
			this.holder.bind(ACME).close();
			assertThat(this.holder.current()).isSameAs(ACME);
			outer.close();
		}

		@Test
		void closingOutOfOrderThrowsAndChangesNothing() {
			Scope outer = this.holder.bind(ACME);
			Scope inner = this.holder.bind(GLOBEX);
			assertThatIllegalStateException().isThrownBy(outer::close).withMessageContaining("acme");
			assertThat(this.holder.current()).isSameAs(GLOBEX);
			inner.close();
			assertThat(this.holder.current()).isSameAs(ACME);
			outer.close();
			assertThat(this.holder.current()).isSameAs(TenantContext.SINGLE);
		}

		@Test
		void closingTwiceDoesNothing() {
			Scope outer = this.holder.bind(ACME);
			Scope inner = this.holder.bind(GLOBEX);
			inner.close();
			inner.close();
			assertThat(this.holder.current()).isSameAs(ACME);
			outer.close();
			Scope next = this.holder.bind(GLOBEX);
			outer.close();
			assertThat(this.holder.current()).isSameAs(GLOBEX);
			next.close();
		}

		@Test
		void anotherThreadSeesTheSingleTenant() {
			try (Scope scope = this.holder.bind(ACME)) {
				assertThat(scope).isNotNull();
				assertThat(CompletableFuture.supplyAsync(this.holder::current).join()).isSameAs(TenantContext.SINGLE);
			}
		}

		@Test
		void closingOnAnotherThreadThrowsAndChangesNothing() {
			Scope scope = this.holder.bind(ACME);
			assertThat(CompletableFuture.runAsync(scope::close)).failsWithin(Duration.ofSeconds(10))
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(IllegalStateException.class);
			assertThat(this.holder.current()).isSameAs(ACME);
			scope.close();
			assertThat(this.holder.current()).isSameAs(TenantContext.SINGLE);
		}

		@Test
		void holdersShareNoState() {
			TenantContextHolder other = TenantContextHolder.threadBound();
			Scope scope = this.holder.bind(ACME);
			Scope otherScope = other.bind(GLOBEX);
			assertThat(this.holder.current()).isSameAs(ACME);
			assertThat(other.current()).isSameAs(GLOBEX);
			scope.close();
			assertThat(other.current()).isSameAs(GLOBEX);
			otherScope.close();
		}

		@Test
		void bindRefusesNullAndChangesNothing() {
			assertThatNullPointerException().isThrownBy(() -> this.holder.bind(null));
			assertThat(this.holder.current()).isSameAs(TenantContext.SINGLE);
		}

	}

}

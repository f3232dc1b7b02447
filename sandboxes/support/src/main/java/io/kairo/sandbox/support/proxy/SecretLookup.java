package io.kairo.sandbox.support.proxy;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.kairo.api.sandbox.Secret;
import io.kairo.api.sandbox.SecretSource;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Finds secrets within a timeout. Concurrent requests for the same secret share one call
 * of the source, so that a source that hangs holds one thread for each secret of a
 * tenant, however many requests commands send. Safe for use by several threads.
 */
final class SecretLookup {

	private final Map<Key, CompletableFuture<@Nullable Secret>> running = new ConcurrentHashMap<>();

	private final SecretSource source;

	private final Duration timeout;

	SecretLookup(SecretSource source, Duration timeout) {
		this.source = source;
		this.timeout = timeout;
	}

	/**
	 * Finds a secret.
	 * @param target the target of the request, for its refusal
	 * @throws ProxyRefusedException if there is none, or the source fails or does not
	 * answer in time
	 */
	Secret find(String name, TenantContext tenant, Target target) throws ProxyRefusedException {
		try {
			Secret secret = lookUp(new Key(name, tenant)).get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			if (secret != null) {
				return secret;
			}
			throw unavailable(target, name, "the tenant has none");
		}
		catch (TimeoutException ex) {
			throw unavailable(target, name, "the source did not answer within " + this.timeout.toMillis() + " ms");
		}
		catch (ExecutionException ex) {
			// not the message, since it may contain the secret
			throw unavailable(target, name,
					"the source threw " + Objects.requireNonNull(ex.getCause()).getClass().getName());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unavailable(target, name, "the lookup was interrupted");
		}
		catch (OutOfMemoryError ex) {
			throw unavailable(target, name, "no more threads can be created");
		}
	}

	private CompletableFuture<@Nullable Secret> lookUp(Key key) {
		return this.running.computeIfAbsent(key, (absent) -> {
			CompletableFuture<@Nullable Secret> future = new CompletableFuture<>();
			DaemonThreads.start("kairo-secret", () -> call(key, future));
			return future;
		});
	}

	private void call(Key key, CompletableFuture<@Nullable Secret> future) {
		try {
			future.complete(this.source.find(key.name(), key.tenant()));
		}
		catch (Throwable ex) {
			future.completeExceptionally(ex);
		}
		finally {
			this.running.remove(key, future);
		}
	}

	private static ProxyRefusedException unavailable(Target target, String name, String problem) {
		return new ProxyRefusedException(Refusal.SECRET_UNAVAILABLE, target, "secret '" + name + "': " + problem);
	}

	private record Key(String name, TenantContext tenant) {
	}

}

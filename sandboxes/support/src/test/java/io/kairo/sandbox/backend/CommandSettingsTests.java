package io.kairo.sandbox.backend;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.cache.CacheOptions;
import io.kairo.sandbox.support.proxy.AllowList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link CommandSettings}.
 */
class CommandSettingsTests {

	private static final AllowList HOSTS = AllowList.of(List.of("example.org"));

	private static final CacheOptions CACHES = new CacheOptions(Path.of("/c"), List.of(".m2"), 1, Duration.ofDays(1),
			(tenant, bytes, maxBytes) -> {
			});

	@Test
	void changesKeepEverythingElse() {
		CommandSettings settings = CommandSettings.DEFAULTS.with((changes) -> changes.inheritEnv(List.of("LC_*"))
			.directory(Path.of("/d"))
			.hiddenPaths(List.of(Path.of("/h")))
			.readOnlyPaths(List.of(Path.of("/r")))
			.killGrace(Duration.ZERO)
			.shutdownGrace(Duration.ofSeconds(1))
			.allowList(HOSTS)
			.runAs(new HostUser(1, 2))
			.tmpfsBytes(1L << 20)
			.caches(CACHES)
			.nativeCalls(false)
			.limits(new CommandLimits(null, 1.0, null, null)));
		assertThat(settings)
			.isEqualTo(new CommandSettings(List.of("LC_*"), Path.of("/d"), List.of(Path.of("/h"), Path.of("/c")),
					List.of(Path.of("/r")), Duration.ZERO, Duration.ofSeconds(1), Network.ALLOW_LIST, HOSTS,
					new HostUser(1, 2), 1L << 20, CACHES, false, new CommandLimits(null, 1.0, null, null)));
		assertThat(settings.with((changes) -> {
		})).isEqualTo(settings);
		assertThat(CommandSettings.DEFAULTS.inheritEnv()).containsExactly("PATH", "LANG", "HOME");
	}

	@Test
	void networkAndAllowListReplaceEachOther() {
		CommandSettings listed = CommandSettings.DEFAULTS.with((changes) -> changes.allowList(HOSTS));
		assertThat(listed.newProxy()).isNotNull();
		CommandSettings off = listed.with((changes) -> changes.network(Network.NONE));
		assertThat(off.allowList()).isNull();
		assertThat(off.newProxy()).isNull();
	}

	@ParameterizedTest
	@MethodSource
	void valueOutOfItsRangeIsRefused(Consumer<CommandSettings.Builder> change, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> CommandSettings.DEFAULTS.with(change))
			.withMessageContaining(message);
	}

	static Stream<Arguments> valueOutOfItsRangeIsRefused() {
		return Stream.of(refused((changes) -> changes.inheritEnv(List.of("A=B")), "'A=B' is not a name"),
				refused((changes) -> changes.readOnlyPaths(List.of(Path.of("relative"))), "'relative'"),
				refused((changes) -> changes.readOnlyPaths(List.of(Path.of("/"))), "'/'"),
				refused((changes) -> changes.killGrace(Duration.ofSeconds(1)), "PT1S"),
				refused((changes) -> changes.killGrace(Duration.ofMillis(-1)), "PT-0.001S"),
				refused((changes) -> changes.shutdownGrace(Duration.ofMillis(-1)), "PT-0.001S"),
				refused((changes) -> changes.network(Network.ALLOW_LIST), "The network is ALLOW_LIST"),
				refused((changes) -> changes.runAs(new HostUser(0, 5)), "0:5 is root or has its group"),
				refused((changes) -> changes.runAs(new HostUser(5, 0)), "5:0 is root or has its group"),
				refused((changes) -> changes.tmpfsBytes(65535L), "65535 bytes: it must be at least 65536"));
	}

	private static Arguments refused(Consumer<CommandSettings.Builder> change, String message) {
		return Arguments.of(change, message);
	}

}

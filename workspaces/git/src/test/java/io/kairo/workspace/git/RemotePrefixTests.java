package io.kairo.workspace.git;

import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RemotePrefix}, as entries of an allow-list.
 */
class RemotePrefixTests {

	@ParameterizedTest
	@CsvSource({ "https://host/team/shop.git/, https://host/team/shop.git, true",
			"https://host/team/shop.git/, https://host/team/shop.git/, true",
			"https://host/team/shop.git//, https://host/team/shop.git, true",
			"https://host/team/, https://host/team/shop.git, true", "https://host/, https://host/team/shop.git, true",
			"https://host/team/, https://host/teammates/shop.git, false",
			"https://host/team/shop.git/, https://host/team/shop.git/x, true",
			"https://HOST:443/team/, https://host/team/shop.git, true",
			"https://host/team/, https://host:443/team/shop.git, true",
			"https://host:8443/, https://host/team/shop.git, false", "https://host:44/, https://host:443/x, false",
			"ssh://git@host:22, ssh://git@host/x, true", "file:///srv/shop/, file:///srv/shop, true",
			"file:///, file:///srv/shop, true", "https:///, https://host/x, false" })
	void prefixEndsAtSlashOfAddress(String prefix, String remote, boolean allowed) {
		assertThat(GitOptions.in(Path.of("state")).withAllowedUrls(prefix).allows(RemoteUrl.parse(remote)))
			.isEqualTo(allowed);
	}

}

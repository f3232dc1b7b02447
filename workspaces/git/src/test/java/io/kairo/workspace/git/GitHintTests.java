package io.kairo.workspace.git;

import io.kairo.api.workspace.WorkspacePathException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GitHint}, {@link RemoteUrl} and {@link GitCredential}.
 */
class GitHintTests {

	@ParameterizedTest
	@CsvSource({ "git:HTTPS://Git.Example.org:443/Team/shop.git/, https://git.example.org/Team/shop.git",
			"git:https://git.example.org:8443/shop, https://git.example.org:8443/shop",
			"git:ssh://git@example.org:22/team/shop.git, ssh://git@example.org/team/shop.git",
			"git:file:///srv/git/shop.git#main, file:///srv/git/shop.git",
			"git:git://example.org/~ann/shop#pull/7, git://example.org/~ann/shop" })
	void parseNormalisesAddress(String hint, String address) {
		assertThat(GitHint.parse(hint).url().text()).isEqualTo(address);
	}

	@ParameterizedTest
	@ValueSource(strings = { "git:ext::sh -c id", "git:https://example.org", "git:https://example.org/",
			"git:https:///x", "git:ssh://-oProxyCommand=id/x", "git:ssh://git@-x/y", "git:ssh://git:pw@host/x",
			"git:https://host/a/../b", "git:https://host/a/%2e%2e/b", "git:https://host/a%2fb", "git:https://host/-x",
			"git:https://host/a b", "git:https://host/a'b", "git:https://host/a\"b", "git:https://host/a\\b",
			"git:https://host/a\nb", "git:https://host/a?token=x", "git:fd::17", "git:http::https://x/y",
			"git:file://server/share", "git:host:path", "git:/srv/git", "x", "" })
	void parseRejectsInvalidAddress(String hint) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> GitHint.parse(hint));
	}

	@ParameterizedTest
	@ValueSource(strings = { "git:https://ann:s3cret@host/x", "git:https://s3cret@host/x", "git:ssh://a:s3cret@host/x",
			"git:https://host/x?token=s3cret", "git:https://ann:s3cret@host/../x", "git:ftp://ann:s3cret@host/x" })
	void messageOfRejectedHintOmitsSecret(String hint) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> GitHint.parse(hint))
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining("s3cret"));
	}

	@Test
	void credentialToStringOmitsSecret() {
		assertThat(new GitCredential("ann", "s3cret")).hasToString("GitCredential[username=ann, secret=***]");
	}

}

package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link SandboxAttributes}.
 */
class SandboxAttributesTests {

	private static final Mount CACHE = new Mount(Path.of("/cache"), "/mnt/cache", false);

	private static SandboxAttributes.Builder everything() {
		return SandboxAttributes.builder()
			.workingDirectory(Path.of("/project/src"))
			.workspaceTarget("/workspace")
			.mounts(List.of(CACHE))
			.protectedPaths(List.of(".git/hooks"))
			.stdin(true)
			.tailBytes(4096)
			.sessionId("s1")
			.background(true)
			.allowedRoots(List.of(Path.of("/srv")))
			.withoutNetwork(true);
	}

	@Nested
	class Building {

		@Test
		void noneHasNoAttributes() {
			assertThat(SandboxAttributes.NONE.workingDirectory()).isNull();
			assertThat(SandboxAttributes.NONE.workspaceTarget()).isNull();
			assertThat(SandboxAttributes.NONE.mounts()).isEmpty();
			assertThat(SandboxAttributes.NONE.protectedPaths()).isEmpty();
			assertThat(SandboxAttributes.NONE.stdin()).isFalse();
			assertThat(SandboxAttributes.NONE.tailBytes()).isZero();
			assertThat(SandboxAttributes.NONE.sessionId()).isNull();
			assertThat(SandboxAttributes.NONE.background()).isFalse();
			assertThat(SandboxAttributes.NONE.allowedRoots()).isEmpty();
			assertThat(SandboxAttributes.NONE.withoutNetwork()).isFalse();
		}

		@Test
		void attributesKeepAllValuesOfBuilder() {
			SandboxAttributes attributes = everything().build();
			assertThat(attributes.workingDirectory()).isEqualTo(Path.of("/project/src"));
			assertThat(attributes.workspaceTarget()).isEqualTo("/workspace");
			assertThat(attributes.mounts()).containsExactly(CACHE);
			assertThat(attributes.protectedPaths()).containsExactly(".git/hooks");
			assertThat(attributes.stdin()).isTrue();
			assertThat(attributes.tailBytes()).isEqualTo(4096);
			assertThat(attributes.sessionId()).isEqualTo("s1");
			assertThat(attributes.background()).isTrue();
			assertThat(attributes.allowedRoots()).containsExactly(Path.of("/srv"));
			assertThat(attributes.withoutNetwork()).isTrue();
			assertThat(attributes.toBuilder().build()).isEqualTo(attributes);
			assertThat(attributes.toBuilder().redirectErrorStream(true).build()).isNotEqualTo(attributes);
			assertThat(SandboxAttributes.NONE.toBuilder().build()).isEqualTo(SandboxAttributes.NONE);
		}

		@Test
		void listReplacesListSetBefore() {
			SandboxAttributes attributes = everything().mounts(List.of()).protectedPaths(List.of("a")).build();
			assertThat(attributes.mounts()).isEmpty();
			assertThat(attributes.protectedPaths()).containsExactly("a");
		}

		@Test
		void negativeTailBytesAreRefused() {
			assertThatIllegalArgumentException().isThrownBy(() -> SandboxAttributes.builder().tailBytes(-1))
				.withMessageContaining("-1");
		}

		@Test
		void mountWithoutTargetAppearsAtItsHostPath() {
			assertThat(new Mount(Path.of("/cache"), true)).isEqualTo(new Mount(Path.of("/cache"), "/cache", true));
		}

		@Test
		void mountNeedsSourceAndTarget() {
			assertThatNullPointerException().isThrownBy(() -> new Mount(null, "/a", true));
			assertThatNullPointerException().isThrownBy(() -> new Mount(Path.of("/a"), null, true));
		}

	}

	@Nested
	class Immutability {

		@Test
		void listArgumentsAreCopied() {
			List<Mount> mounts = new ArrayList<>(List.of(CACHE));
			List<String> paths = new ArrayList<>(List.of("a"));
			SandboxAttributes attributes = SandboxAttributes.builder().mounts(mounts).protectedPaths(paths).build();
			mounts.clear();
			paths.clear();
			assertThat(attributes.mounts()).containsExactly(CACHE);
			assertThat(attributes.protectedPaths()).containsExactly("a");
		}

		@Test
		void listsAreUnmodifiable() {
			SandboxAttributes attributes = everything().build();
			assertThatThrownBy(() -> attributes.mounts().clear()).isInstanceOf(UnsupportedOperationException.class);
			assertThatThrownBy(() -> attributes.protectedPaths().clear())
				.isInstanceOf(UnsupportedOperationException.class);
		}

		@Test
		void builderDoesNotChangeAttributesBuiltBefore() {
			SandboxAttributes.Builder builder = everything();
			SandboxAttributes attributes = builder.build();
			builder.mounts(List.of()).protectedPaths(List.of()).tailBytes(0).sessionId(null);
			assertThat(attributes).isEqualTo(everything().build());
		}

	}

	@Nested
	class Equality {

		static Stream<SandboxAttributes> variations() {
			return Stream
				.of(everything().workingDirectory(null), everything().workspaceTarget("/elsewhere"),
						everything().workspaceTarget(null), everything().mounts(List.of()),
						everything().mounts(List.of(new Mount(CACHE.source(), CACHE.target(), true))),
						everything().protectedPaths(List.of()), everything().stdin(false), everything().tailBytes(1),
						everything().sessionId("s2"), everything().sessionId(null), everything().background(false),
						everything().allowedRoots(List.of()), everything().withoutNetwork(false))
				.map(SandboxAttributes.Builder::build);
		}

		@Test
		void attributesWithSameValuesAreEqual() {
			assertThat(everything().build()).isEqualTo(everything().build()).hasSameHashCodeAs(everything().build());
			assertThat(SandboxAttributes.builder().build()).isEqualTo(SandboxAttributes.NONE);
		}

		@ParameterizedTest
		@MethodSource("variations")
		void attributesWithOneDifferentValueAreNotEqual(SandboxAttributes variation) {
			assertThat(variation).isNotEqualTo(everything().build());
		}

		@Test
		void attributesWithSimilarTextAreNotEqual() {
			assertThat(SandboxAttributes.builder().protectedPaths(List.of("a, b")).build())
				.isNotEqualTo(SandboxAttributes.builder().protectedPaths(List.of("a", "b")).build());
			assertThat(SandboxAttributes.builder().sessionId("null").build()).isNotEqualTo(SandboxAttributes.NONE);
		}

		@Test
		void toStringContainsAllValues() {
			assertThat(everything().build().toString()).contains("/project/src", "/workspace", "/mnt/cache",
					".git/hooks", "stdin=true", "tailBytes=4096", "s1");
		}

	}

}

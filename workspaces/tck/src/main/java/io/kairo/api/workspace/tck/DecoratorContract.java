package io.kairo.api.workspace.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Decorators, and the single write method of the store itself, cannot be bypassed.
 */
abstract class DecoratorContract extends ContractPart {

	DecoratorContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	@Test
	void stringMethodsWriteThroughApplyOfDecorator() {
		Map<String, String> before = state();
		Bouncer bouncer = new Bouncer(this.files);
		assertFailed(bouncer.tryWriteFile("a.txt", "x"), WorkspaceErrorCode.PERMISSION_DENIED);
		assertFailed(bouncer.tryCompareExchange("a.txt", "alpha", "x"), WorkspaceErrorCode.PERMISSION_DENIED);
		assertThat(bouncer.seen).containsExactly(WorkspaceChange.Write.class, WorkspaceChange.CompareExchange.class);
		assertThat(state()).isEqualTo(before);
	}

	@Test
	void decoratedStoreReturnsSameContent() {
		Bouncer bouncer = new Bouncer(this.files);
		assertThat(state(bouncer)).isEqualTo(state());
		assertThat(bouncer.tryReadFile("kb/foo.md")).isEqualTo(this.files.tryReadFile("kb/foo.md"));
		assertThat(bouncer.listDirectory("kb")).isEqualTo(this.files.listDirectory("kb"));
		assertThat(bouncer.getFilePaths()).isEqualTo(this.files.getFilePaths());
	}

	@Test
	void storeDoesNotOverrideDefaultWriteMethods() throws NoSuchMethodException {
		Class<?> type = this.files.getClass();
		assertThat(type.getMethod("tryWriteFile", String.class, String.class).getDeclaringClass())
			.as("apply must be the only method that writes: do not override tryWriteFile")
			.isEqualTo(WorkspaceFiles.class);
		assertThat(type.getMethod("tryCompareExchange", String.class, String.class, String.class).getDeclaringClass())
			.as("apply must be the only method that writes: do not override tryCompareExchange")
			.isEqualTo(WorkspaceFiles.class);
	}

	/**
	 * Refuses every change.
	 */
	private static final class Bouncer extends ForwardingWorkspaceFiles {

		private final List<Class<?>> seen = new ArrayList<>();

		Bouncer(WorkspaceFiles delegate) {
			super(delegate);
		}

		@Override
		public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
			this.seen.add(change.getClass());
			return WorkspaceResult.failure(WorkspaceErrorCode.PERMISSION_DENIED, "Access is denied");
		}

	}

}

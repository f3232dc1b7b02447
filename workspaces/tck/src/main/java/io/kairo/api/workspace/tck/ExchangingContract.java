package io.kairo.api.workspace.tck;

import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compare-exchange in one thread.
 */
abstract class ExchangingContract extends ContractPart {

	ExchangingContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	private WorkspaceChange expecting(String version) {
		return new WorkspaceChange.CompareExchange(path("a.txt"), bytes("alpha"), bytes("beta"), version);
	}

	@Test
	void exchangeReplacesExpectedContent() {
		ChangeReport report = this.files.apply(Changes.exchange(path("a.txt"), "alpha", "beta")).value();
		assertThat(report.applied()).isTrue();
		assertThat(report.lines()).containsExactly(new ChangeReport.Line(path("a.txt"), true, version("a.txt")));
		assertThat(text("a.txt")).isEqualTo("beta");
	}

	@Test
	void exchangeOfOtherContentSucceedsWithoutChange() {
		for (String other : new String[] { "", "alph", "alpha\n", "Alpha", "alphx" }) {
			ChangeReport report = this.files.apply(Changes.exchange(path("a.txt"), other, "beta")).value();
			assertThat(report.applied()).isFalse();
			assertThat(report.lines()).containsExactly(new ChangeReport.Line(path("a.txt"), false, version("a.txt")));
			assertThat(text("a.txt")).isEqualTo("alpha");
		}
	}

	@Test
	void exchangeReplacesExpectedEmptyContent() {
		this.files.tryWriteFile("empty", "");
		assertThat(this.files.tryCompareExchange("empty", "", "x").value().exchanged()).isTrue();
		assertThat(text("empty")).isEqualTo("x");
	}

	@Test
	void exchangeReportsMissingFile() {
		Map<String, String> before = state();
		assertFailed(this.files.apply(Changes.exchange(path("missing"), "", "x")), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.apply(Changes.exchange(path("new/missing"), "", "x")),
				WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThat(state()).isEqualTo(before);
	}

	@Test
	void exchangeRefusesDirectory() {
		assertFailed(this.files.apply(Changes.exchange(path("kb"), "", "x")), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertFailed(this.files.apply(Changes.exchange(root(), "", "x")), WorkspaceErrorCode.IS_A_DIRECTORY);
	}

	@Test
	void exchangeAlsoRequiresExpectedVersion() {
		String version = version("a.txt");
		assertFailed(this.files.apply(expecting(version("zoo.txt"))), WorkspaceErrorCode.STALE_READ);
		assertFailed(this.files.apply(expecting(WorkspaceChange.ABSENT)), WorkspaceErrorCode.STALE_READ);
		assertThat(text("a.txt")).isEqualTo("alpha");
		assertThat(this.files.apply(expecting(version)).value().applied()).isTrue();
		assertThat(text("a.txt")).isEqualTo("beta");
	}

}

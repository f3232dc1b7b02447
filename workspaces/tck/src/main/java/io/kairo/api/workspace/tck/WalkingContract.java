package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Walks of the tree below a directory.
 */
abstract class WalkingContract extends ContractPart {

	WalkingContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	@Test
	void walkVisitsEveryFileOnce() {
		Recorder recorder = new Recorder();
		WalkReport report = this.files.walk(root(), recorder).value();
		assertThat(report).isEqualTo(new WalkReport(4, 3, 0, 0, 0, false));
		assertThat(recorder.names()).containsExactlyInAnyOrder("", "kb", "kb/deep", "a.txt", "zoo.txt", "kb/foo.md",
				"kb/deep/bar.md");
	}

	@Test
	void walkVisitsDirectoryBeforeItsContent() {
		Recorder recorder = new Recorder();
		this.files.walk(root(), recorder).value();
		List<String> names = recorder.names();
		assertThat(names).first().isEqualTo("");
		assertThat(names).containsSubsequence("kb", "kb/foo.md").containsSubsequence("kb", "kb/deep", "kb/deep/bar.md");
	}

	@Test
	void entriesHaveStampsThatChangeWithThem() {
		Map<String, String> before = stamps();
		this.files.apply(Changes.write(path("a.txt"), "other")).value();
		Map<String, String> after = stamps();
		assertThat(after.get("a.txt")).isNotEqualTo(before.get("a.txt"));
		assertThat(after.get("zoo.txt")).isEqualTo(before.get("zoo.txt"));
	}

	private Map<String, String> stamps() {
		Map<String, String> stamps = new ConcurrentHashMap<>();
		this.files.walk(root(), new Recorder() {
			@Override
			public Next file(Entry file) throws IOException {
				assertThat(file.type()).isEqualTo(FileType.FILE);
				assertThat(file.target()).isNull();
				stamps.put(file.path().relative(), file.stamp());
				return Next.CONTINUE;
			}
		}).value();
		return stamps;
	}

	@Test
	void visitorMissesNoNameThatTheStoreReports() {
		Map<String, Boolean> seen = new ConcurrentHashMap<>();
		this.files.walk(root(), new Recorder() {
			@Override
			public void names(WorkspacePath directory, Predicate<String> mayHave) {
				List<String> names = directory.isRoot() ? List.of("a.txt", "zoo.txt", "kb") : List.of();
				seen.put(directory.relative(), names.stream().allMatch(mayHave));
			}
		}).value();
		assertThat(seen.values()).allMatch((all) -> all);
	}

	@Test
	void walkStartsAtGivenDirectory() {
		Recorder recorder = new Recorder();
		assertThat(this.files.walk(path("kb/deep"), recorder).value().files()).isOne();
		assertThat(recorder.names()).containsExactly("kb/deep", "kb/deep/bar.md");
	}

	@Test
	void visitorReadsFileThroughEntry() {
		Queue<String> seen = new ConcurrentLinkedQueue<>();
		this.files.walk(root(), (file) -> {
			byte[] buffer = new byte[3];
			int first = file.read(buffer, 0);
			String start = string(buffer);
			int second = file.read(buffer, 3);
			seen.add(file.path().relative() + " " + file.size() + " " + first + start + " " + second + " "
					+ file.read(buffer, file.size()) + " " + file.read(buffer, 1_000));
			assertThat(file.modified()).isNotNull();
			return Next.CONTINUE;
		}).value();
		assertThat(seen).containsExactlyInAnyOrder("a.txt 5 3alp 2 -1 -1", "zoo.txt 3 3zoo -1 -1 -1",
				"kb/foo.md 3 3foo -1 -1 -1", "kb/deep/bar.md 3 3bar -1 -1 -1");
	}

	@Test
	void visitorSkipsDirectory() {
		Recorder recorder = new Recorder() {
			@Override
			public Next directory(WorkspacePath directory) {
				super.directory(directory);
				return directory.name().equals("kb") ? Next.SKIP : Next.CONTINUE;
			}
		};
		WalkReport report = this.files.walk(root(), recorder).value();
		assertThat(recorder.names()).containsExactlyInAnyOrder("", "kb", "a.txt", "zoo.txt");
		assertThat(report.files()).isEqualTo(2);
		assertThat(report.directories()).isOne();
		assertThat(report.stopped()).isFalse();
	}

	@Test
	void visitorSkipsRestOfDirectory() {
		createMany();
		Recorder recorder = new Recorder() {
			@Override
			public Next file(Entry file) throws IOException {
				super.file(file);
				return file.path().startsWith(path("many")) ? Next.SKIP : Next.CONTINUE;
			}
		};
		WalkReport report = this.files.walk(root(), recorder).value();
		assertThat(recorder.names()).contains("a.txt", "kb/foo.md", "zoo.txt")
			.filteredOn((name) -> name.startsWith("many/"))
			.hasSizeBetween(1, 39);
		assertThat(report.stopped()).isFalse();
	}

	@Test
	void visitorStopsWalkAtFile() {
		createMany();
		Recorder recorder = new Recorder() {
			@Override
			public Next file(Entry file) throws IOException {
				super.file(file);
				return Next.STOP;
			}
		};
		assertThat(this.files.walk(root(), recorder).value().stopped()).isTrue();
		assertThat(recorder.names()).filteredOn((name) -> name.startsWith("many/")).hasSizeLessThan(40);
	}

	@Test
	void visitorStopsWalkAtDirectory() {
		WalkReport report = this.files.walk(root(), new Recorder() {
			@Override
			public Next directory(WorkspacePath directory) {
				return Next.STOP;
			}
		}).value();
		assertThat(report.stopped()).isTrue();
		assertThat(report.files()).isZero();
	}

	@Test
	void walkContinuesAfterUnreadableFile() {
		WalkReport report = this.files.walk(root(), (file) -> {
			if (file.path().name().equals("foo.md")) {
				throw new IOException("on purpose");
			}
			return Next.CONTINUE;
		}).value();
		assertThat(report.unreadable()).isOne();
		assertThat(report.files()).isEqualTo(3);
	}

	@Test
	void walkOfEmptyStoreVisitsNoFile() throws IOException {
		this.files = this.suite.createFiles(WritePolicy.ALLOW_ALL, Map.of());
		assertThat(this.files.walk(root(), (file) -> Next.CONTINUE).value().files()).isZero();
	}

	@Test
	void walkFailsForFileAndMissingDirectory() {
		WorkspaceVisitor visitor = (file) -> Next.CONTINUE;
		assertFailed(this.files.walk(path("a.txt"), visitor), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertFailed(this.files.walk(path("missing"), visitor), WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	private void createMany() {
		for (int i = 0; i < 40; i++) {
			this.files.tryWriteFile("many/" + i, "x").value();
		}
	}

	/**
	 * Records the calls.
	 */
	private static class Recorder implements WorkspaceVisitor {

		private final Queue<String> names = new ConcurrentLinkedQueue<>();

		List<String> names() {
			return List.copyOf(this.names);
		}

		@Override
		public Next directory(WorkspacePath directory) {
			this.names.add(directory.relative());
			return Next.CONTINUE;
		}

		@Override
		public Next file(Entry file) throws IOException {
			this.names.add(file.path().relative());
			return Next.CONTINUE;
		}

	}

}

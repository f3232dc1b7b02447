package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.tools.Cancellation;
import io.kairo.tools.ToolAttachment;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for images and documents attached by {@link ReadTool}.
 */
class AttachedFileTests {

	private FileToolsFixture tools;

	@BeforeEach
	void openWorkspace(@TempDir Path directory) {
		ToolContext context = ToolContext.builder(FileToolsFixture.workspace(directory)).carriesAttachments().build();
		this.tools = new FileToolsFixture(directory, context.toBuilder().build());
	}

	static Stream<Arguments> files() {
		return Stream.of(Arguments.of("\u0089PNG\r\n\u001A\n", "image/png"),
				Arguments.of("\u00FF\u00D8\u00FF\u00E0", "image/jpeg"), Arguments.of("GIF89a", "image/gif"),
				Arguments.of("GIF87a", "image/gif"), Arguments.of("RIFFabcdWEBPVP8", "image/webp"),
				Arguments.of("%PDF-1.7", "application/pdf"));
	}

	@ParameterizedTest
	@MethodSource("files")
	void readAttachesFileByContentRegardlessOfName(String start, String mediaType) throws Exception {
		byte[] bytes = (start + "\u0000rest").getBytes(StandardCharsets.ISO_8859_1);
		this.tools.put("a.txt", bytes);
		ToolResult result = this.tools.read("a.txt");
		assertThat(result.error()).as(result.text()).isNull();
		assertThat(result.attachment()).isEqualTo(new ToolAttachment("a.txt", mediaType, bytes));
		assertThat(result.attachment().isImage()).isEqualTo(mediaType.startsWith("image/"));
		assertThat(result.data()).containsEntry("mediaType", mediaType)
			.containsEntry("size", (long) bytes.length)
			.containsKey("version");
		assertThat(result.text()).contains("'a.txt' is a").contains("comes with this result");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PK\u0003\u0004", "RIFFabcdWAVEfmt", "\u007FELF", "RIFF" })
	void readRejectsOtherBinaryContent(String start) throws Exception {
		this.tools.put("a", (start + "\u0000rest").getBytes(StandardCharsets.ISO_8859_1));
		assertThat(this.tools.read("a").error().code()).isEqualTo("unsupported_file_type");
	}

	@Test
	void readRejectsFileAboveAttachmentLimit() throws Exception {
		byte[] bytes = Arrays.copyOf("%PDF-1.7".getBytes(), AttachedFile.MAX_BYTES + 1);
		this.tools.put("long.pdf", bytes);
		ToolResult result = this.tools.read("long.pdf");
		assertThat(result.error().code()).isEqualTo("too_large");
		assertThat(result.text()).contains("5,242,880 bytes").contains("command");
		this.tools.put("fits.pdf", Arrays.copyOf(bytes, AttachedFile.MAX_BYTES));
		assertThat(this.tools.read("fits.pdf").attachment().bytes()).hasSize(AttachedFile.MAX_BYTES);
	}

	@Test
	void largeFileWaitsUntilPreviousOnesOfTenantAreSent(@TempDir Path directory) throws Exception {
		List<Runnable> sent = new ArrayList<>();
		Cancellation cancellation = new Cancellation();
		FileToolsFixture client = new FileToolsFixture(directory,
				ToolContext.builder(FileToolsFixture.workspace(directory))
					.carriesAttachments(sent::add)
					.cancellation(cancellation)
					.build());
		client.put("a.pdf", Arrays.copyOf("%PDF-1.7".getBytes(), AttachedFile.MAX_BYTES));
		assertThat(client.read("a.pdf").attachment()).isNotNull();
		cancellation.cancel();
		ToolResult result = client.read("a.pdf");
		while (result.error() == null && sent.size() < 10_000) {
			result = client.read("a.pdf");
		}
		assertThat(result.error().code()).isEqualTo("cancelled");
		sent.forEach(Runnable::run);
		assertThat(client.read("a.pdf").attachment()).isNotNull();
	}

	@Test
	void fileOfAnyKindIsAttachedWholeOnRequestAndDoesNotCountAsRead(@TempDir Path directory) throws Exception {
		FileToolsFixture client = new FileToolsFixture(directory,
				ToolContext.builder(FileToolsFixture.workspace(directory)).carriesAttachments().wholeFiles(10).build());
		client.put("a.txt", "a\r\n\u00E9");
		ToolResult text = client.read("a.txt");
		assertThat(text.attachment())
			.isEqualTo(new ToolAttachment("a.txt", "text/plain", "a\r\n\u00E9".getBytes(StandardCharsets.UTF_8)));
		assertThat(text.data()).containsEntry("charset", "UTF-8");
		client.put("a.zip", "PK\u0003\u0004\u0000");
		assertThat(client.read("a.zip").attachment().mediaType()).isEqualTo("application/octet-stream");
		client.put("long", "01234567890");
		assertThat(client.read("long").text()).startsWith("too_large").contains("10 bytes");
		assertThat(client.read("b.txt").text()).startsWith("file_not_found");
		assertThat(client.read(".").text()).startsWith("is_a_directory");
		assertThat(client.context().session().ledger().version(client.context().resolve("a.txt"))).isNull();
	}

	@Test
	void readRejectsImageWhenClientDoesNotAcceptAttachments() throws Exception {
		this.tools.put("a.gif", "GIF89a");
		ToolResult result = this.tools.otherSession().read("a.gif");
		assertThat(result.error().code()).isEqualTo("unsupported_file_type");
		assertThat(result.text()).contains("a GIF image").contains("command");
		assertThat(result.attachment()).isNull();
	}

	@Test
	void readFileToolRejectsImageAsUnsupported() throws Exception {
		this.tools.put("a.gif", new byte[] { 'G', 'I', 'F', '8', '9', 'a', (byte) 0xFF, (byte) 0xFE, 0 });
		ReadFileTool read = new ReadFileTool(ReadOptions.defaults());
		ToolResult result = ToolCatalog.of(List.of(read), List.of())
			.call(new ToolCall("1", "read_file", Map.of("path", "a.gif")), this.tools.context());
		assertThat(result.data()).containsEntry("error", "unsupported_file_type");
	}

}

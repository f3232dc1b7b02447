package io.kairo.tools.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.tools.Completeness;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link RecordTool}, with the arguments of {@link ReadTool}.
 */
class RecordToolTests {

	private final BindingTool tool = new BindingTool();

	@Test
	void schemaContainsParametersTypesAndRequiredOnes() {
		assertThat(this.tool.definition().inputSchema()).containsEntry("type", "object")
			.containsEntry("required", List.of("file_path"));
		assertThat(this.tool.definition().inputSchema()).extractingByKey("properties", InstanceOfAssertFactories.MAP)
			.containsOnlyKeys("file_path", "offset", "limit", "column")
			.extractingByKey("offset", InstanceOfAssertFactories.MAP)
			.containsEntry("type", "integer")
			.containsKey("description");
	}

	@Test
	void bindReturnsArguments() {
		ReadTool.Input bound = this.tool.bind(Map.of("file_path", "a.txt", "offset", 3, "limit", 10));
		assertThat(bound.filePath()).isEqualTo("a.txt");
		assertThat(bound.range().firstLine()).isEqualTo(3);
		assertThat(bound.range().maxLines(ReadOptions.defaults())).isEqualTo(10);
	}

	@Test
	void numberGivenAsTextIsAccepted() {
		assertThat(this.tool.bind(Map.of("file_path", "a.txt", "offset", "7")).range().firstLine()).isEqualTo(7);
	}

	@Test
	void wholeNumberWithDecimalPointIsAccepted() {
		assertThat(this.tool.bind(Map.of("file_path", "a.txt", "offset", 7.0)).range().firstLine()).isEqualTo(7);
	}

	@Test
	void offsetZeroIsTheBeginning() {
		assertThat(this.tool.bind(Map.of("file_path", "a.txt", "offset", 0)).range().firstLine()).isEqualTo(1);
	}

	@Test
	void schemaInErrorIsJson() {
		assertThatExceptionOfType(ToolArgumentException.class)
			.isThrownBy(() -> this.tool.bind(Map.of("file_path", List.of("a.txt"))))
			.withMessageContaining("'file_path' cannot be '[\"a.txt\"]'")
			.satisfies(
					(ex) -> assertThat(ex.nextStep()).startsWith("Give it as the schema says: {\"type\":\"string\","));
	}

	@Test
	void textThatLooksLikeJsonStaysText() {
		assertThat(this.tool.bind(Map.of("file_path", "[\"a.txt\"]")).filePath()).isEqualTo("[\"a.txt\"]");
	}

	@Test
	void nullArgumentCountsAsAbsent() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("file_path", "a.txt");
		arguments.put("limit", null);
		assertThat(this.tool.bind(arguments).range().maxLines(ReadOptions.defaults())).isEqualTo(2000);
	}

	@Test
	void parameterAliasIsAccepted() {
		assertThat(this.tool.bind(Map.of("path", "a.txt")).filePath()).isEqualTo("a.txt");
	}

	@Test
	void parameterAndItsAliasTogetherAreRejected() {
		assertRefused(Map.of("path", "a.txt", "file_path", "b.txt"), "'file_path' is given twice");
	}

	@Test
	void unknownParameterIsRejectedWithListOfKnownOnes() {
		assertThatExceptionOfType(ToolArgumentException.class)
			.isThrownBy(() -> this.tool.bind(Map.of("file_path", "a.txt", "lines", 3)))
			.withMessageContaining("'lines'")
			.satisfies((ex) -> assertThat(ex.nextStep()).contains("file_path, offset, limit, column"));
	}

	@Test
	void missingParameterIsNamedInError() {
		assertRefused(Map.of("offset", 3), "'file_path' is missing");
	}

	@Test
	void valueOfWrongTypeIsNamedInError() {
		assertRefused(Map.of("file_path", "a.txt", "offset", "many"), "'offset' cannot be 'many'");
		assertRefused(Map.of("file_path", Map.of("a", 1)), "'file_path' cannot be '{\"a\":1}'");
	}

	@Test
	void invalidNumberIsNamedInError() {
		assertRefused(Map.of("file_path", "a.txt", "offset", 1.5), "'offset' cannot be '1.5'");
		assertRefused(Map.of("file_path", "a.txt", "limit", new java.math.BigInteger("99999999999999999999")),
				"'limit' cannot be '99999999999999999999'");
	}

	@Test
	void limitOfMaximumIntegerReadsAllLines() {
		assertThat(this.tool.bind(Map.of("file_path", "a.txt", "limit", Long.MAX_VALUE))
			.range()
			.maxLines(ReadOptions.defaults())).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void schemaIsUnmodifiable() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.tool.definition().inputSchema().put("type", "string"));
	}

	@Test
	void valueOutOfRangeIsRejectedWithMessageOfTool() {
		assertRefused(Map.of("file_path", "a.txt", "offset", -1), "offset is -1, but lines are counted from 1");
	}

	@Test
	void partialResultRepeatsOtherArgumentsUnderNamesOfCall() {
		Map<String, Object> arguments = new LinkedHashMap<>(Map.of("path", "a.txt", "offset", 1));
		arguments.put("limit", null);
		assertThat(this.tool.next(arguments, Map.of("offset", 3))).isEqualTo(Map.of("path", "a.txt", "offset", 3));
	}

	@Test
	void partialResultDoesNotRepeatAliasOfArgumentThatItNames() {
		assertThat(this.tool.next(Map.of("path", "a.txt", "limit", "7"), Map.of("file_path", "b.txt")))
			.isEqualTo(Map.of("file_path", "b.txt", "limit", "7"));
	}

	@Test
	void completeResultDoesNotContinue() {
		assertThat(this.tool.next(Map.of("path", "a.txt"), null)).isNull();
	}

	@Test
	void schemaIsGeneratedWhenItIsReadFirst() {
		ToolDefinition definition = new UndescribedTool().definition();
		assertThat(definition.name()).isEqualTo("Undescribed");
		assertThatNullPointerException().isThrownBy(() -> definition.inputSchema().get("type"));
	}

	private void assertRefused(Map<String, Object> arguments, String message) {
		assertThatExceptionOfType(ToolArgumentException.class).isThrownBy(() -> this.tool.bind(arguments))
			.withMessageContaining(message);
	}

	/**
	 * A tool that keeps its bound arguments, and returns results of any completeness.
	 */
	private static final class BindingTool extends RecordTool<ReadTool.Input> {

		private final ToolContext context = ToolContext.builder(null).build();

		private ReadTool.Input bound;

		private Completeness complete = Completeness.COMPLETE;

		BindingTool() {
			super("Bind", "A tool for tests", ReadTool.Input.class, Map.of("path", "file_path"), ToolNaming.CLAUDE,
					Map.of("limit", 2000), ToolAnnotations.READ_ONLY);
		}

		ReadTool.Input bind(Map<String, Object> arguments) {
			call(arguments, this.context);
			return this.bound;
		}

		Map<String, Object> next(Map<String, Object> arguments, Map<String, Object> changed) {
			this.complete = (changed != null) ? Completeness.partial("more", changed) : Completeness.COMPLETE;
			return call(arguments, this.context).complete().next();
		}

		@Override
		protected ToolResult call(ReadTool.Input input, ToolContext context) {
			this.bound = input;
			return new ToolResult("", Map.of(), null, this.complete);
		}

	}

	/**
	 * A tool whose schema cannot be generated: no description has the placeholder.
	 */
	private static final class UndescribedTool extends RecordTool<UndescribedTool.Input> {

		UndescribedTool() {
			super("Undescribed", "A tool for tests", Input.class, Map.of(), ToolNaming.CLAUDE, Map.of("limit", 1),
					ToolAnnotations.READ_ONLY);
		}

		@Override
		protected ToolResult call(Input input, ToolContext context) {
			return ToolResult.ok("", Map.of());
		}

		record Input(int limit) {

		}

	}

}

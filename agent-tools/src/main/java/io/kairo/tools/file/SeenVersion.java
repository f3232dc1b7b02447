package io.kairo.tools.file;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.Completeness;
import io.kairo.tools.ReadLedger;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.LineDiff;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * The version of a file that a change is based on: the expected version of the call, or
 * else the version last seen by its session before the call began. Versions that the
 * session reads during the call do not count.
 *
 * @param path the file
 * @param given the version that the call gives, null if it gives none
 * @param version the version that the change is based on, null if there is none
 * @param context the context of the call
 */
public record SeenVersion(WorkspacePath path, @Nullable String given, @Nullable String version, ToolContext context) {

	/**
	 * Returns the version for a call that begins now and holds the locks of its files.
	 * @param path the file
	 * @param given the version that the call gives, null if it gives none
	 * @param context the context of the call
	 * @return the version
	 */
	public static SeenVersion now(WorkspacePath path, @Nullable String given, ToolContext context) {
		ReadLedger ledger = context.session().ledger();
		String version = (given != null) ? given : ledger.version(ledger.known(path, context.files()));
		return new SeenVersion(path, given, version, context);
	}

	/**
	 * Returns a line with the version of a file, for a client without a session. The
	 * client has to pass the version with its next call.
	 * @param version the version
	 * @param context the context of the call
	 * @return the line, with a line feed before it; empty for a session that remembers it
	 */
	public static String versionLine(String version, ToolContext context) {
		return context.session().isForOneCall() ? "\n(version " + version + ")" : "";
	}

	/**
	 * Remembers the version that the call has left.
	 * @param version the version
	 * @param content all bytes of the file; not copied
	 */
	public void record(String version, byte[] content) {
		ReadLedger ledger = this.context.session().ledger();
		ledger.record(ledger.known(this.path, this.context.files()), version, content);
	}

	/**
	 * Returns whether the file has certainly changed since this version. Versions of
	 * different kinds cannot be compared here; the store compares them when it applies
	 * the change.
	 * @param current the current version
	 * @return true if it has changed
	 */
	public boolean isOutdated(String current) {
		String seen = this.version;
		return seen != null && !seen.equals(current) && kind(seen).equals(kind(current));
	}

	/**
	 * Creates the refusal of a change to a file that the session has not seen.
	 */
	ToolResult unseen(String shownPath, WholeFile current) {
		String kind = current.binaryKind();
		return result(Phrase.of("'%s' exists and this session has not read it.", shownPath), (kind == null)
				? Phrase.of("Read it first, then write it. Without a session that lasts, write it with "
						+ "expected_version=%s, unless reading it returns another one.", current.version())
				: Phrase.of("It is %s. To replace it nevertheless, give expected_version=%s.", kind, current.version()),
				null, current.version());
	}

	/**
	 * Creates the refusal of a change that is based on an outdated version, with the
	 * difference if the old content is known.
	 * @param shownPath the path, as spelled in results
	 * @param current the current file
	 * @param maxDiffLines the maximum number of lines of the difference
	 * @return the result
	 */
	public ToolResult stale(String shownPath, WholeFile current, int maxDiffLines) {
		return stale(shownPath, current, maxDiffLines, true);
	}

	/**
	 * Creates the refusal of a change that is based on an outdated version, with the
	 * difference if the old content is known.
	 * @param shownPath the path, as spelled in results
	 * @param current the current file
	 * @param maxDiffLines the maximum number of lines of the difference
	 * @param takesVersion whether the call may give the version that it expects
	 * @return the result
	 */
	public ToolResult stale(String shownPath, WholeFile current, int maxDiffLines, boolean takesVersion) {
		byte[] seen = (current.binaryKind() == null) ? seenContent() : null;
		String diff = null;
		if (seen != null && current.bytes().length <= ReadLedger.MAX_CONTENT) {
			String before = new EditableText(seen, TextEncoding.detect(seen, true)).text();
			diff = LineDiff.between(before, current.text().text()).unified(shownPath, maxDiffLines).text();
		}
		String message = WorkspaceChange.ABSENT.equals(this.given)
				? Phrase.of("'%s' exists, and was expected to be absent.", shownPath)
				: Phrase.of("'%s' was changed since %s.", shownPath,
						(this.given != null) ? "it had the expected version" : "it was read");
		String next = takesVersion
				? "Read it again and make the change anew; or, if this difference does not matter to it, repeat "
						+ "the call with expected_version=" + current.version() + "."
				: "Read it again and make the change anew.";
		return result(message, next, diff, current.version());
	}

	/**
	 * Creates the refusal of a change to a file that no longer exists.
	 * @param shownPath the path, as spelled in results
	 * @return the result
	 */
	public ToolResult gone(String shownPath) {
		return result(Phrase.of("'%s' is not there any more.", shownPath),
				"Without expected_version it is created; list its directory to see what happened.", null, null);
	}

	private byte @Nullable [] seenContent() {
		ReadLedger ledger = this.context.session().ledger();
		String seen = this.version;
		return (seen != null) ? ledger.content(ledger.known(this.path, this.context.files()), seen) : null;
	}

	private static ToolResult result(String message, String next, @Nullable String diff, @Nullable String current) {
		ToolError error = new ToolError(WorkspaceErrorCode.STALE_READ.code(), message, next);
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("error", error.code());
		data.put("message", message);
		if (current != null) {
			data.put("currentVersion", current);
		}
		if (diff != null) {
			data.put("diff", diff);
		}
		String text = error.code() + ": " + message + "\n" + ((diff != null) ? diff + "\n" : "") + next;
		return new ToolResult(text, data, error, Completeness.COMPLETE);
	}

	private static String kind(String version) {
		return version.substring(0, version.indexOf(':') + 1);
	}

}

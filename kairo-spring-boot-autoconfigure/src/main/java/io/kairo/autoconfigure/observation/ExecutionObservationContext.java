package io.kairo.autoconfigure.observation;

import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxRequest;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of a command, {@code kairo.sandbox.executions}. Tracing
 * puts the fields of the trace into its carrier, as environment variables with their
 * names in upper case, such as {@code TRACEPARENT}. Fields with characters that HTTP
 * headers do not have are left out, since a client may have sent them.
 */
public final class ExecutionObservationContext extends SenderContext<Map<String, String>> {

	static final String SESSION = "session.id";

	static final String EXIT_CODE = "exit.code";

	private static final Pattern NAME = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

	private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]{1,512}");

	private final Map<String, String> trace = new HashMap<>();

	private final String backend;

	private final String tenant;

	private final SandboxRequest request;

	private volatile @Nullable SandboxExit exit;

	private volatile @Nullable String outcome;

	ExecutionObservationContext(String backend, String tenant, SandboxRequest request) {
		super((carrier, field, value) -> put(carrier, field, value), Kind.CLIENT);
		setCarrier(this.trace);
		this.backend = backend;
		this.tenant = tenant;
		this.request = request;
	}

	private static void put(@Nullable Map<String, String> carrier, String field, String value) {
		String name = field.toUpperCase(Locale.ROOT).replace('-', '_');
		if (carrier != null && NAME.matcher(name).matches() && VALUE.matcher(value).matches()) {
			carrier.put(name, value);
		}
	}

	/**
	 * Returns the fields of the trace as environment variables.
	 * @return an unmodifiable view, empty without tracing
	 */
	public Map<String, String> trace() {
		return Collections.unmodifiableMap(this.trace);
	}

	/**
	 * Returns the sandbox that runs the command.
	 * @return the name of the backend
	 */
	public String backend() {
		return this.backend;
	}

	/**
	 * Returns the tenant as a value of a tag. The number of values is limited.
	 * @return the id of the tenant, or {@code other}
	 */
	public String tenant() {
		return this.tenant;
	}

	/**
	 * Returns the request, with the whole tenant.
	 * @return the request; its command and environment may be secret
	 */
	public SandboxRequest request() {
		return this.request;
	}

	/**
	 * Returns the end of the command.
	 * @return the exit; null while the command runs, and if it was not started
	 */
	public @Nullable SandboxExit exit() {
		return this.exit;
	}

	/**
	 * Returns the outcome as a value of a tag.
	 * @return the outcome; null while the command runs
	 */
	public @Nullable String outcome() {
		return this.outcome;
	}

	void ended(@Nullable SandboxExit exit, String outcome) {
		this.exit = exit;
		this.outcome = outcome;
	}

}

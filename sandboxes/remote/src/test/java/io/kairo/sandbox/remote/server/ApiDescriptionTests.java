package io.kairo.sandbox.remote.server;

import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.RemoteSandbox;
import io.kairo.sandbox.remote.protocol.CapabilitiesMessage;
import io.kairo.sandbox.remote.protocol.ChangesMessage;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.EndMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Frame;
import io.kairo.sandbox.remote.protocol.LeaseMessage;
import io.kairo.sandbox.remote.protocol.MissingMessage;
import io.kairo.sandbox.remote.protocol.StartMessage;
import io.kairo.sandbox.remote.protocol.WantedMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code sandbox-api.yaml} describes what the server does.
 */
@SuppressWarnings("unchecked")
class ApiDescriptionTests {

	private static final List<String> METHODS = List.of("get", "put", "post", "delete");

	private static final String TOKEN = "the token of the tests";

	private static Map<String, Object> api;

	@BeforeAll
	static void read() throws Exception {
		try (InputStream file = RemoteSandbox.class.getResourceAsStream("sandbox-api.yaml")) {
			api = new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
		}
	}

	private static Map<String, Object> at(String... keys) {
		Map<String, Object> found = api;
		for (String key : keys) {
			found = Objects.requireNonNull((Map<String, Object>) found.get(key), key);
		}
		return found;
	}

	@Test
	void serverAnswersExactlyTheRequestsThatAreDescribed() throws Exception {
		List<String> answered = new ArrayList<>();
		List<String> described = new ArrayList<>();
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox();
				SandboxServer server = new SandboxServer(sandbox,
						SandboxServerOptions.of(new RemoteClient("tests", TOKEN, Set.of(), List.of("/"))))) {
			int port = Objects.requireNonNull((InetSocketAddress) server.address()).getPort();
			for (String path : at("paths").keySet()) {
				for (String method : METHODS) {
					String request = method + " " + path;
					if (at("paths", path).containsKey(method)) {
						described.add(request);
					}
					URI uri = URI.create("http://127.0.0.1:" + port + path.replaceAll("\\{[a-z0-9]+}", "1"));
					String answer = HttpClient.newHttpClient()
						.send(HttpRequest.newBuilder(uri)
							.header("Authorization", "Bearer " + TOKEN)
							.method(method.toUpperCase(Locale.ROOT), BodyPublishers.noBody())
							.build(), BodyHandlers.ofString())
						.body();
					if (!answer.contains("of this path")) {
						answered.add(request);
					}
				}
			}
		}
		assertThat(answered).isEqualTo(described).isNotEmpty();
	}

	static Stream<Arguments> messages() {
		return Stream.of(Arguments.of("Capabilities", CapabilitiesMessage.class),
				Arguments.of("Lease", LeaseMessage.class), Arguments.of("Start", StartMessage.class),
				Arguments.of("Tenant", StartMessage.TenantMessage.class),
				Arguments.of("Mount", StartMessage.MountMessage.class), Arguments.of("End", EndMessage.class),
				Arguments.of("Copy", CopyMessage.class), Arguments.of("Missing", MissingMessage.class),
				Arguments.of("Wanted", WantedMessage.class), Arguments.of("Changes", ChangesMessage.class),
				Arguments.of("Error", ErrorMessage.class));
	}

	@ParameterizedTest
	@MethodSource("messages")
	void propertiesOfAMessageAreThoseOfItsSchema(String schema, Class<? extends Record> message) {
		Map<String, Object> properties = at("components", "schemas", schema, "properties");
		assertThat(properties.keySet()).containsExactlyElementsOf(
				Arrays.stream(message.getRecordComponents()).map(RecordComponent::getName).toList());
		for (RecordComponent component : message.getRecordComponents()) {
			Map<String, Object> property = (Map<String, Object>) properties.get(component.getName());
			Object type = property.containsKey("$ref") ? "object" : Objects.requireNonNull(property.get("type"));
			boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
			assertThat(type).as(component.getName())
				.isEqualTo(nullable ? List.of(type(component.getType()), "null") : type(component.getType()));
		}
	}

	private static String type(Class<?> type) {
		if (type == int.class || type == long.class || type == Long.class) {
			return "integer";
		}
		if (type == boolean.class || type == String.class) {
			return type.getSimpleName().toLowerCase(Locale.ROOT);
		}
		return List.class.isAssignableFrom(type) ? "array" : "object";
	}

	@Test
	void codesOfRefusalsAreDescribedWithTheirStatus() throws Exception {
		String described = at("components", "responses", "Refused").get("description").toString();
		for (Field field : ErrorMessage.class.getFields()) {
			if (Modifier.isStatic(field.getModifiers())) {
				String code = (String) field.get(null);
				int status = new RefusedRequestException(code, "problem", "remedy").status();
				assertThat(described).contains(status + " " + code);
			}
		}
	}

	@Test
	void framesAreDescribed() throws Exception {
		String described = at("paths", "/v1/leases/{lease}/commands/{number}/output", "get", "responses", "200")
			.get("description")
			.toString();
		Set<String> types = new TreeSet<>();
		for (Field field : Frame.class.getFields()) {
			if (field.getType() == byte.class) {
				types.add(String.valueOf(field.getByte(null)));
			}
		}
		assertThat(types).hasSizeGreaterThan(4);
		assertThat(Arrays.stream(described.split("[^0-9]+")).collect(Collectors.toSet())).containsAll(types);
	}

}

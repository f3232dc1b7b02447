package io.kairo.api.sandbox;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ForwardingSandboxHandle}.
 */
class ForwardingSandboxHandleTests {

	@Test
	void everyMethodIsForwarded() throws Exception {
		List<String> called = new ArrayList<>();
		SandboxHandle recording = (SandboxHandle) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { SandboxHandle.class }, (proxy, method, arguments) -> {
					called.add(method.getName());
					Class<?> type = method.getReturnType();
					return (type == boolean.class) ? (Object) true
							: (type == int.class) ? (Object) 7 : (type == long.class) ? (Object) 7L : null;
				});
		SandboxHandle forwarding = new ForwardingSandboxHandle(recording) {
		};
		List<String> methods = Arrays.stream(SandboxHandle.class.getMethods()).map(Method::getName).toList();
		assertThat(methods).contains("output", "exit", "leftoverProcesses");
		for (Method method : SandboxHandle.class.getMethods()) {
			Object result = method.invoke(forwarding);
			assertThat(result).isIn(null, true, 7, 7L);
		}
		assertThat(called).containsExactlyElementsOf(methods);
	}

}

package io.kairo.governance.audit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

/**
 * A data source whose connections lose the answer to a commit.
 *
 * @param delegate the data source
 * @param failures the number of commits to lose
 */
record FailingCommits(DataSource delegate, AtomicInteger failures) {

	DataSource dataSource() {
		return recording((connection) -> {
		});
	}

	/**
	 * Returns a data source that tells about its connections.
	 */
	DataSource recording(Consumer<Connection> listener) {
		return proxy(DataSource.class, this.delegate, listener);
	}

	private <T> T proxy(Class<T> type, Object target, Consumer<Connection> listener) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				Object result;
				try {
					result = method.invoke(target, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
				if (method.getName().equals("commit")
						&& this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					throw new SQLException("The answer was lost");
				}
				if (result instanceof Connection connection) {
					listener.accept(connection);
					return proxy(Connection.class, connection, listener);
				}
				return result;
			}));
	}

}

package io.kairo.governance.audit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/**
 * A data source whose connections lose the answer to a commit.
 *
 * @param delegate the data source
 * @param failures the number of commits to lose
 */
record FailingCommits(DataSource delegate, AtomicInteger failures) {

	DataSource dataSource() {
		return proxy(DataSource.class, this.delegate);
	}

	private <T> T proxy(Class<T> type, Object target) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				Object result;
				try {
					result = method.invoke(target, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
				if (method.getName().equals("commit") && this.failures.getAndUpdate((n) -> Math.max(0, n - 1)) > 0) {
					throw new SQLException("The answer was lost");
				}
				return (result instanceof Connection connection) ? proxy(Connection.class, connection) : result;
			}));
	}

}

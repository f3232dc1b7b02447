package io.kairo.governance.ledger;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/**
 * A data source that can be down, or lose the answer to a commit.
 */
final class FaultyDatabase {

	private final AtomicInteger lostAnswers = new AtomicInteger();

	private final DataSource delegate;

	private volatile boolean down;

	FaultyDatabase(DataSource delegate) {
		this.delegate = delegate;
	}

	void down(boolean down) {
		this.down = down;
	}

	void loseAnswers(int commits) {
		this.lostAnswers.set(commits);
	}

	DataSource dataSource() {
		return proxy(DataSource.class, this.delegate);
	}

	private <T> T proxy(Class<T> type, Object target) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				if (this.down && !method.getName().equals("close") && !method.getName().equals("isClosed")) {
					throw new SQLException("The database is down", "08006");
				}
				Object result;
				try {
					result = method.invoke(target, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
				if (method.getName().equals("commit")
						&& this.lostAnswers.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					throw new SQLException("The answer was lost", "08006");
				}
				return (result instanceof Connection connection) ? proxy(Connection.class, connection) : result;
			}));
	}

}

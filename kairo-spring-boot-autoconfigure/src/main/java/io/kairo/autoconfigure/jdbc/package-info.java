/**
 * What the audit, the approvals and the budgets share if they are kept in a database: the
 * data source and the creation of tables.
 */
@NullMarked
package io.kairo.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;

/**
 * Transactions for data in a database.
 */
@NullMarked
package io.kairo.governance.jdbc;

import org.jspecify.annotations.NullMarked;

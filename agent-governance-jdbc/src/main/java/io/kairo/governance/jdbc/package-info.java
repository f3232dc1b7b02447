/**
 * The audit, the approvals and the usage of tenants in tables of a database.
 */
@NullMarked
package io.kairo.governance.jdbc;

import org.jspecify.annotations.NullMarked;

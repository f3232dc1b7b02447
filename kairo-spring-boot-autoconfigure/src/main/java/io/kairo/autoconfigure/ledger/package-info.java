/**
 * The budgets of tenants: ledger, schema, meters and endpoint.
 */
@NullMarked
package io.kairo.autoconfigure.ledger;

import org.jspecify.annotations.NullMarked;

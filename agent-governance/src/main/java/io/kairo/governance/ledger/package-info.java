/**
 * The usage of tenants: a ledger of commands, CPU time and output by day, and the budgets
 * that it enforces.
 */
@NullMarked
package io.kairo.governance.ledger;

import org.jspecify.annotations.NullMarked;

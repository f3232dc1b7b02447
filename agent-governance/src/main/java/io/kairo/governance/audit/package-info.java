/**
 * The audit of tool calls: one record for each call and refusal, in hash chains that show
 * whether a record was changed, removed or moved.
 */
@NullMarked
package io.kairo.governance.audit;

import org.jspecify.annotations.NullMarked;
